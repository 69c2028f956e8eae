package io.orchestra.hadoop.core.daemon;

import com.google.common.annotations.VisibleForTesting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNodes a DataNode serves, which change while it runs. Used by one thread, which waits once
 * for a name that nobody knows, and not again and again: it has other things to do.
 */
public final class NameNodes {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodes.class);

  /** Looking up a name that nobody knows may take seconds. */
  private static final Duration RESOLVE_AGAIN = Duration.ofSeconds(30);

  private record Found(Configuration conf, Set<InetSocketAddress> addresses) {}

  private final Supplier<Configuration> configuration;
  private final Duration pause;
  private final AtomicReference<Found> foundAside = new AtomicReference<>();
  private Optional<Thread> aside = Optional.empty();
  private Configuration conf;
  private long resolved;
  private Set<InetSocketAddress> addresses = Set.of();

  /**
   * @param configuration of the DataNode; another one after {@code dfsadmin -refreshNamenodes}
   */
  public NameNodes(Supplier<Configuration> configuration) {
    this(configuration, RESOLVE_AGAIN);
  }

  /**
   * @param pause until a name that could not be resolved is looked up again
   */
  @VisibleForTesting
  NameNodes(Supplier<Configuration> configuration, Duration pause) {
    this.configuration = configuration;
    this.pause = pause;
  }

  /** Addresses of the RPC servers for DataNodes, of all nameservices. */
  public Set<InetSocketAddress> addresses() throws IOException {
    Configuration current = configuration.get();
    Found found = foundAside.getAndSet(null);
    if (current != conf) {
      addresses = lookUp(current);
      conf = current;
      resolved = System.nanoTime();
    } else if (found != null && found.conf() == current) {
      addresses = keeping(found.addresses());
    } else if (addresses.stream().anyMatch(InetSocketAddress::isUnresolved)
        && System.nanoTime() - resolved > pause.toNanos()
        && aside.filter(Thread::isAlive).isEmpty()) {
      resolved = System.nanoTime();
      lookUpAside(current);
    }
    return addresses;
  }

  /** A name that was known is, though its server does not answer now. */
  private Set<InetSocketAddress> keeping(Set<InetSocketAddress> found) {
    Map<String, InetSocketAddress> known =
        addresses.stream()
            .filter(address -> !address.isUnresolved())
            .collect(Collectors.toMap(NameNodes::name, address -> address, (one, another) -> one));
    return found.stream()
        .map(
            address ->
                address.isUnresolved() ? known.getOrDefault(name(address), address) : address)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String name(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private void lookUpAside(Configuration current) {
    Thread thread =
        new Thread(
            () -> {
              try {
                foundAside.set(new Found(current, lookUp(current)));
              } catch (Throwable e) {
                // None of ours ends in the handler of the DataNode.
                LOG.debug("Names of NameNodes could not be looked up; that is tried again", e);
              }
            },
            "orchestra-names-of-namenodes");
    thread.setDaemon(true);
    thread.start();
    aside = Optional.of(thread);
  }

  private static Set<InetSocketAddress> lookUp(Configuration conf) throws IOException {
    Set<InetSocketAddress> found = new LinkedHashSet<>();
    DFSUtil.getNNServiceRpcAddressesForCluster(conf)
        .values()
        .forEach(
            nameservice ->
                nameservice.values().forEach(address -> found.add(resolvedIfPossible(address))));
    return Set.copyOf(found);
  }

  /** Hadoop leaves all names alone with {@code dfs.client.failover.lazy.resolved}. */
  private static InetSocketAddress resolvedIfPossible(InetSocketAddress address) {
    return address.isUnresolved()
        ? new InetSocketAddress(address.getHostString(), address.getPort())
        : address;
  }
}
