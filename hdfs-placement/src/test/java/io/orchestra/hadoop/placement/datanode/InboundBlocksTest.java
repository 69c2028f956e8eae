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

    InboundBlocks.Inbound first = inbound.sample(TWO_SECONDS);
    assertThat(first.sources()).containsExactly("203.0.113.5", "203.0.113.6");
    assertThat(first.rate()).isEqualTo(750);

    lengths.put("BP-1-203.0.113.1-99:7", 3000L);
    assertThat(inbound.sample(TWO_SECONDS).rate()).isEqualTo(1000);
  }

  @Test
  void theEndOfAFinishedBlockIsMeasuredToo() {
    receiving("/203.0.113.5:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);
    assertThat(inbound.sample(TWO_SECONDS).rate()).isEqualTo(500);

    threads.clear();
    lengths.put("BP-1-203.0.113.1-99:7", 1400L);
    InboundBlocks.Inbound last = inbound.sample(TWO_SECONDS);
    assertThat(last.rate()).isEqualTo(200);
    assertThat(last.sources()).isEmpty();
    assertThat(inbound.sample(TWO_SECONDS).rate()).isZero();
  }

  @Test
  void aBlockThatIsGoneCountsNothing() {
    receiving("/203.0.113.5:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);
    assertThat(inbound.sample(TWO_SECONDS).rate()).isEqualTo(500);

    threads.clear();
    lengths.clear();
    assertThat(inbound.sample(TWO_SECONDS).rate()).isZero();
  }

  @Test
  void whatAClientOnThisHostWritesDoesNotCrossTheLink() {
    receiving("/127.0.0.1:4242", 7);
    lengths.put("BP-1-203.0.113.1-99:7", 1000L);

    InboundBlocks.Inbound sample = inbound.sample(TWO_SECONDS);
    assertThat(sample.sources()).isEmpty();
    assertThat(sample.rate()).isZero();
  }

  private void receiving(String from, long block) {
    threads.add(
        "DataXceiver for client DFSClient_NONMAPREDUCE_-12_1 at %s [Receiving block BP-1-203.0.113.1-99:blk_%d_1001]"
            .formatted(from, block));
  }
}
