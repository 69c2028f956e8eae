package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.collect.Iterables;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The daemons that poll, by the names of their DataNodes and of their hosts. A DataNode's name
 * belongs to the host that it came from first, for as long as that polls. Not safe for concurrent
 * use.
 */
final class DaemonTable {
  private static final int MOST_DAEMONS = 20_000;

  /** So many DataNodes may a host have; without Kerberos anybody there may call himself one. */
  static final int MOST_OF_HOST = 16;

  /** What is known of one daemon, and what it does not know yet. */
  static final class Link {
    final Daemon daemon;
    final Deque<CommandProto> commands = new ArrayDeque<>();
    Load load = Load.UNKNOWN;
    boolean isShaped;
    Consumer<PollResponseProto> held;
    long heldSince;
    long heardAt;
    long rackAskedAt;

    private Link(Daemon daemon) {
      this.daemon = daemon;
    }
  }

  private final Map<String, Link> links = new LinkedHashMap<>();
  private final SetMultimap<String, Link> byHost = LinkedHashMultimap.create();
  private long version;

  /**
   * Takes a daemon in, in the place of what its DataNode was before.
   *
   * @return what it was before
   * @throws IOException if there are too many, or its name is that of another
   */
  Optional<Link> introduce(Daemon daemon, long now) throws IOException {
    Link before = links.get(daemon.uuid());
    if (before != null && !before.daemon.host().equals(daemon.host())) {
      throw new IOException("%s has the name of %s".formatted(daemon, before.daemon));
    }
    if (before == null
        && (links.size() >= MOST_DAEMONS || byHost.get(daemon.host()).size() >= MOST_OF_HOST)) {
      throw new IOException(
          "more than %d daemons, or %d of %s".formatted(MOST_DAEMONS, MOST_OF_HOST, daemon.host()));
    }
    remove(daemon.uuid());
    Link link = new Link(daemon);
    link.heardAt = now;
    link.rackAskedAt = now;
    links.put(daemon.uuid(), link);
    byHost.put(daemon.host(), link);
    version++;
    return Optional.ofNullable(before);
  }

  /** Null if there is none. */
  Link remove(String uuid) {
    Link link = links.remove(uuid);
    if (link != null) {
      byHost.remove(link.daemon.host(), link);
      version++;
    }
    return link;
  }

  /** Null if there is none. */
  Link of(String uuid) {
    return links.get(uuid);
  }

  /** The one that came last; null if there is none. */
  Link at(String host) {
    return Iterables.getLast(byHost.get(host), null);
  }

  int size() {
    return links.size();
  }

  /** All, in the order in which they came. */
  List<Link> all() {
    return List.copyOf(links.values());
  }

  /** One for each host. */
  List<Daemon> ofHosts() {
    return byHost.keySet().stream().map(host -> at(host).daemon).toList();
  }

  /** A daemon has told of its host's link. */
  void told(Link link, Load load) {
    if (!link.load.capacity().equals(load.capacity())) {
      version++;
    }
    link.load = load;
  }

  /** Grows whenever a daemon comes or goes, or a link gets another capacity. */
  long version() {
    return version;
  }

  void clear() {
    links.clear();
    byHost.clear();
  }
}
