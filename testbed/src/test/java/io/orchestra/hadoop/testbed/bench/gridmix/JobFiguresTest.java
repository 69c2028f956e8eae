package io.orchestra.hadoop.testbed.bench.gridmix;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.gridmix.GridmixHistory.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JobFiguresTest {
  private static final Job SMALL = job(0, true, 1000, 5000, 1, 0, Map.of("DATA_LOCAL_MAPS", 1L));
  private static final Job MEDIUM = job(1, true, 2000, 12_000, 2, 1, Map.of("DATA_LOCAL_MAPS", 1L));
  private static final Job LARGE = job(2, true, 2500, 22_500, 5, 3, Map.of());

  private final JobFigures figures =
      new JobFigures(List.of(SizeBin.SMALL, SizeBin.MEDIUM, SizeBin.LARGE), new HashMap<>());

  private static Job job(
      int number,
      boolean succeeded,
      long submitted,
      long finished,
      int maps,
      int reduces,
      Map<String, Long> counters) {
    return new Job(number, succeeded, submitted, finished, maps, reduces, maps, reduces, counters);
  }

  private Measurement measured(Job... jobs) {
    Measurement.Builder measurement = Measurement.builder();
    figures.addTo(measurement, List.of(jobs));
    return measurement.build();
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
