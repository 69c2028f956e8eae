package io.orchestra.hadoop.integration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What an active ResourceManager said of prefetching when it was asked.
 *
 * @param page its {@code /orchestra/prefetch}
 */
public record PrefetchLook(JsonNode page) {
  private static final String BEGUN = "STARTED";
  private static final Set<String> WHOLE = Set.of("DEADLINE_MET", "DEADLINE_MISSED");

  /**
   * A block on its way.
   *
   * @param bytes that have come
   * @param reading whether its map reads it already
   */
  public record Flow(String to, long bytes, boolean reading) {
    /**
     * Whether it has begun to come, and most of it is still to come: of one that is half as long as
     * others, as the last of a file may be, at least half.
     *
     * @param blockBytes of a whole block
     */
    public boolean isInItsFirstQuarter(int blockBytes) {
      return bytes > 0 && bytes <= blockBytes / 4;
    }
  }

  /** A map's block, and the host that it was brought to. */
  public record Block(String task, String host) {}

  /** All that have begun and not ended. */
  public Stream<Flow> flows() {
    return elements("flows")
        .map(
            flow ->
                new Flow(
                    flow.path("to").asText(),
                    flow.path("bytes").asLong(),
                    flow.path("reading").asBoolean()));
  }

  /** How many are on their way to these hosts. */
  public long onTheirWayTo(Collection<String> hosts) {
    return flows().filter(flow -> hosts.contains(flow.to())).count();
  }

  /** How many have come whole to these hosts, of the last decisions. */
  public long comeTo(Collection<String> hosts) {
    return come().filter(block -> hosts.contains(block.host())).count();
  }

  /** Blocks that have come whole, of the last decisions. */
  public Stream<Block> come() {
    return decided(WHOLE);
  }

  /** Blocks that were begun, of the last decisions. */
  public Stream<Block> begun() {
    return decided(Set.of(BEGUN));
  }

  /** How many blocks the ResourceManager has begun to bring so far. */
  public long begunInAll() {
    return inAll(BEGUN);
  }

  /** How many blocks have come whole so far. */
  public long comeInAll() {
    return WHOLE.stream().mapToLong(this::inAll).sum();
  }

  /** Maps whose launches are foretold. */
  public Stream<String> foretold() {
    return elements("launches").map(launch -> launch.path("task").asText());
  }

  /** Hosts whose daemons poll. */
  public Stream<String> daemons() {
    return elements("daemons").map(daemon -> daemon.path("host").asText());
  }

  private Stream<Block> decided(Set<String> outcomes) {
    return elements("decisions")
        .filter(decision -> outcomes.contains(decision.path("outcome").asText()))
        .map(decision -> new Block(decision.path("task").asText(), decision.path("host").asText()));
  }

  private long inAll(String outcome) {
    return page.path("outcomes").path(outcome).asLong()
        + page.path("confirmedOutcomes").path(outcome).asLong();
  }

  private Stream<JsonNode> elements(String list) {
    return StreamSupport.stream(page.path(list).spliterator(), false);
  }
}
