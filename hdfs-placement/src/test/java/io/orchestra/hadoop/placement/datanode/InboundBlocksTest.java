package io.orchestra.hadoop.placement.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class InboundBlocksTest {
  private static final long MOST = 1_000_000;
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  private final List<String> threads = new ArrayList<>();
  private final Map<String, Long> lengths = new HashMap<>();
  private final InboundBlocks inbound =
      new InboundBlocks(
          threads::stream,
          (pool, block) -> {
            Long length = lengths.get(pool + ":" + block);
            return length == null ? OptionalLong.empty() : OptionalLong.of(length);
          });

  @Test
  void blocksFromOtherHostsAreCountedAndMeasured() {
    receiving("/203.0.113.5:4242", 7);
    receiving("r1h2/203.0.113.6:4242", 8);
    threads.add("PacketResponder: BP-1-203.0.113.1-99:blk_7_1001, type=LAST_IN_PIPELINE");
    threads.add(
        "DataXceiver for client DFSClient_1 at /203.0.113.9:1 [Sending block BP-1-203.0.113.1-99:blk_9_1]");
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);
    lengths.put("BP-1-203.0.113.1-99:8", 500L);

    InboundBlocks.Inbound first = sample();
    assertThat(first.sources()).containsExactly("203.0.113.5", "203.0.113.6");
    assertThat(first.rate()).isEqualTo(750);

    lengths.put("BP-1-203.0.113.1-99:7", 3000L);
    assertThat(sample().rate()).isEqualTo(1000);
  }

  @Test
  void theEndOfAFinishedBlockIsMeasuredToo() {
    receiving("/203.0.113.5:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);
    assertThat(sample().rate()).isEqualTo(500);

    threads.clear();
    lengths.put("BP-1-203.0.113.1-99:7", 1400L);
    InboundBlocks.Inbound last = sample();
    assertThat(last.rate()).isEqualTo(200);
    assertThat(last.sources()).isEmpty();
    assertThat(sample().rate()).isZero();
  }

  @Test
  void aBlockThatIsGoneCountsNothing() {
    receiving("/203.0.113.5:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);
    assertThat(sample().rate()).isEqualTo(500);

    threads.clear();
    lengths.clear();
    assertThat(sample().rate()).isZero();
  }

  @Test
  void whatAClientOnThisHostWritesDoesNotCrossTheLink() {
    receiving("/127.0.0.1:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);

    InboundBlocks.Inbound sample = sample();
    assertThat(sample.sources()).isEmpty();
    assertThat(sample.rate()).isZero();
  }

  @Test
  void aBlockThatDoesNotGrowIsNoCompetitor() {
    receiving("/203.0.113.5:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);
    assertThat(sample().sources()).hasSize(1);

    assertThat(sample().sources()).isEmpty();
    lengths.put("BP-1-203.0.113.1-99:7", 1001L);
    assertThat(sample().sources()).hasSize(1);
  }

  @Test
  void whatABlockHadBeforeItWasSeenDoesNotCount() {
    receiving("/203.0.113.5:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", MOST + 1);
    assertThat(sample().rate()).isZero();

    lengths.put("BP-1-203.0.113.1-99:7", MOST + 501);
    assertThat(sample().rate()).isEqualTo(250);
    inbound.forget();
    assertThat(sample().rate()).isZero();
  }

  /** A client calls itself what it likes. */
  @Test
  void hostileClientNamesAreNotBelieved() {
    for (String name :
        List.of(
            "x/203.0.113.9:1 [Receiving block p:blk_99999999999999999999_1",
            "x/203.0.113.9:1 [Receiving block p:blk_1_1]",
            "[Receiving block p:blk_1_1]",
            "/".repeat(10_000))) {
      threads.add("DataXceiver for client %s at /203.0.113.5:4242".formatted(name));
      threads.add(
          "DataXceiver for client %s at /203.0.113.5:4242 [Sending block BP-1:blk_7_1]"
              .formatted(name));
      threads.add(
          "DataXceiver for client %s at /203.0.113.5:4242 [Receiving block BP-1:blk_9999999999999999999_1]"
              .formatted(name));
    }

    assertThat(sample().sources()).isEmpty();

    threads.clear();
    lengths.put("BP-1:7", 1000L);
    threads.add(
        "DataXceiver for client x/203.0.113.9:1 [Receiving block p:blk_1_1] at /203.0.113.5:4242 [Receiving block BP-1:blk_7_1]");
    assertThat(sample().sources()).as("who knows").isEmpty();
    threads.add(
        "DataXceiver for client x/203.0.113.9:1 at /203.0.113.5:4242 [Receiving block BP-1:blk_7_1]");
    assertThat(sample().sources()).containsExactly("203.0.113.5");
  }

  /** Pools are named by clients, too, before anybody looks at their tokens. */
  @Test
  void hostilePoolsAreNotBelieved() {
    lengths.put("p:1", 1000L);
    for (String pool :
        List.of(
            "x/203.0.113.9:1 [Receiving block p", "x/203.0.113.9:1 [Receiving block p:blk_1_1]")) {
      threads.add(
          "DataXceiver for client x at /203.0.113.5:4242 [Receiving block %s:blk_1_1]"
              .formatted(pool));
    }
    threads.add(
        "DataXceiver for client x at /%s:1 [Receiving block p:blk_1_1]".formatted("A".repeat(100)));

    assertThat(sample()).isEqualTo(new InboundBlocks.Inbound(0, List.of()));
  }

  @Test
  void aBlockOfWhichThereIsNoReplicaIsNotBeingReceived() {
    receiving("/203.0.113.5:4242", 7);

    assertThat(sample().sources()).isEmpty();
  }

  private InboundBlocks.Inbound sample() {
    return inbound.sample(TWO_SECONDS, MOST);
  }

  private void receiving(String from, long block) {
    threads.add(
        "DataXceiver for client DFSClient_NONMAPREDUCE_-12_1 at %s [Receiving block BP-1-203.0.113.1-99:blk_%d_1001]"
            .formatted(from, block));
  }
}
