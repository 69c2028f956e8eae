package io.orchestra.hadoop.testbed.bench.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ReducerLogTest {
  private static final String BEGIN =
      "2026-11-21 16:44:12,600 INFO [EventFetcher for fetching Map Completion Events]"
          + " org.apache.hadoop.mapreduce.task.reduce.EventFetcher: attempt_1_0002_r_000000_0 Thread started:"
          + " EventFetcher for fetching Map Completion Events";
  private static final String END =
      "2026-11-21 16:44:13,850 INFO [EventFetcher for fetching Map Completion Events]"
          + " org.apache.hadoop.mapreduce.task.reduce.EventFetcher: EventFetcher is interrupted.. Returning";
  private static final String MERGE =
      "2026-11-21 16:44:14,100 INFO [main] org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl:"
          + " finalMerge called with 0 in-memory map-outputs and 4 on-disk map-outputs";
  private static final String OURS =
      "2026-11-21 16:44:13,860 INFO [main] io.orchestra.hadoop.shuffle.reduce.LaneShuffle: Shuffle of"
          + " attempt_1_0002_r_000000_0: 7 bytes; at most 3 lanes, 12 of 14 requests by weight";

  @Test
  void aShuffleLastsFromTheFirstQuestionToTheLastOutput() {
    ReducerLog log = ReducerLog.parse(List.of("no time", BEGIN, END, OURS, MERGE));

    assertThat(ReducerLog.window(List.of(log)).seconds()).isCloseTo(1.25, within(1e-6));
    assertThat(log.explanation())
        .hasValueSatisfying(
            text -> assertThat(text).startsWith("Shuffle of attempt_1_0002_r_000000_0: 7 bytes"));
    assertThat(log.weightedRequests()).isEqualTo(12);
  }

  @Test
  void theFinalMergeIsTheNextBestEnd() {
    ReducerLog log = ReducerLog.parse(List.of(BEGIN, MERGE));

    assertThat(ReducerLog.window(List.of(log)).seconds()).isCloseTo(1.5, within(1e-6));
    assertThat(log.explanation()).isEmpty();
    assertThat(log.weightedRequests()).isZero();
  }

  @Test
  void ofSeveralReducersTheFirstBeginsAndTheLastEnds() {
    ReducerLog early = ReducerLog.parse(List.of(BEGIN, END));
    ReducerLog late =
        ReducerLog.parse(List.of(BEGIN.replace("44:12", "44:13"), END.replace("44:13", "44:15")));

    assertThat(ReducerLog.window(List.of(late, early)).seconds()).isCloseTo(3.25, within(1e-6));
  }

  @Test
  void aLogThatBreaksOffIsRefused() {
    assertThatThrownBy(() -> ReducerLog.parse(List.of(BEGIN))).hasMessageContaining("no end");
    assertThatThrownBy(() -> ReducerLog.parse(List.of(END))).hasMessageContaining("no beginning");
  }
}
