package io.orchestra.hadoop.testbed.bench.gridmix;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.cluster.EndedJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JobFiguresTest {
  private static final EndedJob SMALL =
      job(0, true, 1000, 5000, 1, 0, Map.of("DATA_LOCAL_MAPS", 1L));
  private static final EndedJob MEDIUM =
      job(1, true, 2000, 12_000, 2, 1, Map.of("DATA_LOCAL_MAPS", 1L));
  private static final EndedJob LARGE = job(2, true, 2500, 22_500, 5, 3, Map.of());

  private final JobFigures figures =
      new JobFigures(List.of(SizeBin.SMALL, SizeBin.MEDIUM, SizeBin.LARGE), new HashMap<>());

  private static EndedJob job(
      int number,
      boolean succeeded,
      long submitted,
      long finished,
      int maps,
      int reduces,
      Map<String, Long> counters) {
    return new EndedJob(
        "job_1_" + number,
        "GRIDMIX%06d".formatted(number),
        succeeded,
        submitted,
        submitted,
        finished,
        maps,
        reduces,
        maps,
        reduces,
        counters);
  }

  private Measurement measured(EndedJob... jobs) {
    Measurement.Builder measurement = Measurement.builder();
    figures.addTo(measurement, List.of(jobs));
    return measurement.build();
  }

  @Test
  void jobsAreNumberedAsInTheTrace() {
    assertThat(JobFigures.number(job(11, true, 0, 0, 1, 0, Map.of()))).isEqualTo(11);
    assertThat(JobFigures.isOfTrace("GRIDMIX000011")).isTrue();
    assertThat(JobFigures.isOfTrace("GRIDMIX_GENERATE_INPUT_DATA")).isFalse();
  }

  @Test
  void signaturesHaveWhatWasReadAndWrittenAndNothingOfWhere() {
    Map<String, Long> counters =
        Map.of("HDFS_BYTES_READ", 16L, "DATA_LOCAL_MAPS", 1L, "MAP_INPUT_RECORDS", 2L);
    assertThat(JobFigures.signature(job(0, true, 0, 0, 1, 0, counters)))
        .contains("HDFS_BYTES_READ=16", "MAP_INPUT_RECORDS=2", "REDUCE_INPUT_RECORDS=0")
        .doesNotContain("LOCAL");
  }

  @Test
  void timesAreFromSubmissionToEnd() {
    Measurement measurement = measured(SMALL, MEDIUM, LARGE);

    assertThat(measurement.figures())
        .containsEntry(JobFigures.MEAN, 34.0 / 3)
        .containsEntry(JobFigures.MAKESPAN, 21.5)
        .containsEntry(SizeBin.SMALL.figure(), 4.0)
        .containsEntry(SizeBin.MEDIUM.figure(), 10.0)
        .containsEntry(SizeBin.LARGE.figure(), 20.0)
        .containsEntry(JobFigures.LOCAL, 2.0 / 8)
        .containsEntry("mean map [s]", (1 + 2 * 2 + 5 * 5) / 8.0)
        .containsEntry("mean shuffle of a reduce [s]", (1 + 3 * 3) / 4.0);
    assertThat(measurement.samples()).containsEntry("jobs [s]", List.of(4.0, 10.0, 20.0));
    assertThat(measurement.checks()).hasSize(2).allMatch(Check::passed);
  }

  @Test
  void aJobThatFailsOrIsMissingFailsTheCheck() {
    assertThat(measured(SMALL, MEDIUM, job(2, false, 2500, 22_500, 5, 3, Map.of())).checks())
        .extracting(Check::passed)
        .containsExactly(false, true);
    assertThat(measured(SMALL, MEDIUM).checks())
        .extracting(Check::passed)
        .containsExactly(false, true);
  }

  @Test
  void aJobThatReadsOrWritesSomethingElseThanBeforeFailsTheCheck() {
    Measurement first = measured(SMALL, MEDIUM, LARGE);
    Measurement second =
        measured(SMALL, MEDIUM, job(2, true, 0, 9000, 5, 3, Map.of("HDFS_BYTES_READ", 7L)));

    assertThat(first.checks()).allMatch(Check::passed);
    assertThat(second.checks()).extracting(Check::passed).containsExactly(true, false);
  }

  @Test
  void aJobThatFailedIsNotWhatOthersAreComparedWith() {
    Measurement failed =
        measured(SMALL, MEDIUM, job(2, false, 0, 9000, 5, 3, Map.of("HDFS_BYTES_READ", 7L)));
    Measurement next = measured(SMALL, MEDIUM, LARGE);

    assertThat(failed.checks()).extracting(Check::passed).containsExactly(false, true);
    assertThat(next.checks()).extracting(Check::passed).containsExactly(true, true);
  }
}
