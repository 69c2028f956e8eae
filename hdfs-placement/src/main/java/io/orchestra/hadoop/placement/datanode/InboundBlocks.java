package io.orchestra.hadoop.placement.datanode;

import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells which blocks a DataNode is receiving from other hosts, and how fast. Used by one thread.
 *
 * <p>Read off the names of the DataNode's threads, the one place where Hadoop tells it. With names
 * of another form no block is seen, and all traffic counts as foreign.
 */
final class InboundBlocks {
  // As in "DataXceiver for client DFSClient_x at /10.0.0.5:4242 [Receiving block BP-1:blk_2_3]";
  // what Hadoop writes before the slash is a host name or nothing.
  private static final Pattern RECEIVING =
      Pattern.compile(
          "DataXceiver for client .*?/\\[?(?<source>[^/\\s\\]]+)]?:\\d+"
              + " \\[Receiving block (?<pool>[^:\\]]+):blk_(?<block>-?\\d+)_\\d+].*");

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
   * @param interval since the last call
   */
  Inbound sample(Duration interval) {
    ImmutableList.Builder<String> sources = ImmutableList.builder();
    Map<Replica, Long> now = new HashMap<>();
    threadNames
        .get()
        .map(RECEIVING::matcher)
        .filter(Matcher::matches)
        .filter(matcher -> !isLocal(matcher.group("source")))
        .forEach(
            matcher -> {
              sources.add(matcher.group("source"));
              Replica replica =
                  new Replica(matcher.group("pool"), Long.parseLong(matcher.group("block")));
              now.put(replica, length(replica, 0));
            });
    long bytes = 0;
    for (Map.Entry<Replica, Long> replica : now.entrySet()) {
      bytes += Math.max(0, replica.getValue() - before.getOrDefault(replica.getKey(), 0L));
    }
    for (Map.Entry<Replica, Long> last : before.entrySet()) {
      if (!now.containsKey(last.getKey())) {
        bytes += Math.max(0, length(last.getKey(), last.getValue()) - last.getValue());
      }
    }
    before = now;
    return new Inbound((long) (bytes / (interval.toNanos() / 1e9)), sources.build());
  }

  private long length(Replica replica, long otherwise) {
    return lengths.length(replica.pool(), replica.block()).orElse(otherwise);
  }

  /** What a client on this host writes does not cross the link. */
  private static boolean isLocal(String address) {
    try {
      return !InetAddresses.isInetAddress(address)
          || NetworkInterface.getByInetAddress(InetAddresses.forString(address)) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
