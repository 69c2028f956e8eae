package io.orchestra.hadoop.placement.datanode;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import com.google.common.primitives.Longs;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells which blocks a DataNode is receiving from other hosts, and how fast. Used by one thread.
 *
 * <p>Read off the names of the DataNode's threads, the one place where Hadoop tells it. With names
 * of another form no block is seen, and all traffic counts as foreign.
 */
final class InboundBlocks {
  // As in "DataXceiver for client DFSClient_x at /10.0.0.5:4242 [Receiving block BP-1:blk_2_3]".
  // The client chooses its name, and the pool: what could be read in two ways is not believed.
  private static final Pattern RECEIVING =
      Pattern.compile(
          "DataXceiver for client .*/\\[?(?<source>[^/\\s\\]]+)]?:\\d+"
              + " \\[Receiving block (?<pool>[^:/\\]]+):blk_(?<block>-?\\d{1,19})_\\d+]");

  /** Of each name that has the form above, once: others, of which there are many, need no match. */
  private static final String ACTION = " [Receiving block ";

  /**
   * One sample.
   *
   * @param rate bytes per second since the last sample
   * @param sources the address each block under way comes from
   */
  record Inbound(long rate, List<String> sources) {}

  /** A replica being written, or just finished. */
  private record Replica(String pool, long block) {}

  /** How much of a replica is here, bytes; empty if there is none. */
  @FunctionalInterface
  interface Lengths {
    OptionalLong length(String pool, long block);
  }

  private final Supplier<Stream<String>> threadNames;
  private final Lengths lengths;
  private Map<Replica, Long> before = Map.of();

  InboundBlocks(Supplier<Stream<String>> threadNames, Lengths lengths) {
    this.threadNames = threadNames;
    this.lengths = lengths;
  }

  /**
   * A block that has not grown since the last call is nobody's competitor, and not among the
   * sources.
   *
   * @param interval since the last call
   * @param most bytes that can have come in meanwhile; a block first seen with more was there
   *     before
   */
  Inbound sample(Duration interval, long most) {
    // Most of the time nothing is being received, and they need not be looked up.
    Supplier<Set<String>> local = Suppliers.memoize(InboundBlocks::localAddresses);
    ImmutableList.Builder<String> sources = ImmutableList.builder();
    Map<Replica, Long> now = new HashMap<>();
    threadNames
        .get()
        .filter(name -> name.contains(ACTION))
        .filter(name -> name.indexOf(ACTION) == name.lastIndexOf(ACTION))
        .map(RECEIVING::matcher)
        .filter(Matcher::matches)
        .filter(matcher -> InetAddresses.isInetAddress(matcher.group("source")))
        .filter(matcher -> !local.get().contains(matcher.group("source")))
        .forEach(
            matcher -> {
              Long block = Longs.tryParse(matcher.group("block"));
              if (block == null) {
                return;
              }
              Replica replica = new Replica(matcher.group("pool"), block);
              OptionalLong length = lengths.length(replica.pool(), replica.block());
              if (length.isPresent()) {
                now.put(replica, length.getAsLong());
                if (length.getAsLong() > before.getOrDefault(replica, -1L)) {
                  sources.add(matcher.group("source"));
                }
              }
            });
    long bytes = 0;
    for (Map.Entry<Replica, Long> replica : now.entrySet()) {
      bytes += growth(replica.getKey(), replica.getValue(), most);
    }
    for (Map.Entry<Replica, Long> last : before.entrySet()) {
      if (!now.containsKey(last.getKey())) {
        bytes += growth(last.getKey(), length(last.getKey(), last.getValue()), most);
      }
    }
    before = now;
    return new Inbound(
        (long) (Math.min(bytes, most) / (interval.toNanos() / 1e9)), sources.build());
  }

  /** The next sample is not compared with the last one. */
  void forget() {
    before = Map.of();
  }

  private long growth(Replica replica, long length, long most) {
    Long last = before.get(replica);
    if (last == null) {
      return length > most ? 0 : length;
    }
    return Math.max(0, length - last);
  }

  private long length(Replica replica, long otherwise) {
    return lengths.length(replica.pool(), replica.block()).orElse(otherwise);
  }

  /** What a client on this host writes does not cross the link. */
  private static Set<String> localAddresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getHostAddress)
          .collect(Collectors.toSet());
    } catch (SocketException e) {
      return Set.of();
    }
  }
}
