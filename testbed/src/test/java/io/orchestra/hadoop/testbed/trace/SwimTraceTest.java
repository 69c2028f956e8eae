package io.orchestra.hadoop.testbed.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SwimTraceTest {
  private static final long BLOCK = 16 << 20;
  private static final SwimTrace THREE = new SwimTrace(3, BLOCK, 4, 10 * BLOCK, 100);

  /** The third has no shuffle; together ten blocks. */
  private static final String JOBS =
      "job0\t50\t50\t%d\t%d\t%d\njob1\t100\t50\t%d\t%d\t%d\njob2\t150\t50\t%d\t0\t%d\n"
          .formatted(BLOCK / 4, 0, BLOCK / 4, 5 * BLOCK, BLOCK, BLOCK, 2 * BLOCK, BLOCK / 2);

  @Test
  void bytesAndTimesAreScaled() {
    List<TraceJob> jobs = THREE.convert(JOBS, 1).views();
    assertThat(jobs).extracting(TraceJob::name).containsExactly("job0", "job1", "job2");
    assertThat(jobs).extracting(TraceJob::submitMillis).containsExactly(0L, 50_000L, 100_000L);
    assertThat(jobs).extracting(TraceJob::maps).containsExactly(1, 4, 2);
    assertThat(jobs).extracting(TraceJob::reduces).containsExactly(0, 1, 0);
    assertThat(jobs)
        .extracting(TraceJob::inputBytes)
        .containsExactly(BLOCK / 4, 4 * BLOCK, 2 * BLOCK);
    assertThat(jobs).extracting(TraceJob::shuffleBytes).containsExactly(0L, BLOCK, 0L);
    assertThat(jobs).extracting(TraceJob::outputBytes).containsExactly(BLOCK / 4, BLOCK, BLOCK / 2);
    assertThat(THREE.convert(JOBS, 0.5).views())
        .extracting(TraceJob::inputBytes)
        .containsExactly(BLOCK / 8, 3 * BLOCK, BLOCK);
  }

  @Test
  void aFewStandForMany() {
    String many =
        IntStream.range(0, 300)
            .mapToObj(n -> "job%d\t%d\t1\t%d\t0\t0".formatted(n, n, (n * 7 % 300 + 1) * 1_000_000L))
            .collect(Collectors.joining("\n"));
    List<TraceJob> jobs =
        new SwimTrace(3, 1_000_000, 1000, 453_000_000, 9).convert(many, 1).views();
    assertThat(jobs).extracting(TraceJob::maps).containsExactlyInAnyOrder(51, 151, 251);
    assertThat(jobs).extracting(TraceJob::submitMillis).isSorted().startsWith(0L).endsWith(9_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job0 1 1 1 1 1",
        "job0\t1\t1\t1\t1",
        "job0\t1\t1\t-1\t1\t1",
        "job0\tx\t1\t1\t1\t1"
      })
  void otherLinesAreNamed(String line) {
    assertThatThrownBy(() -> THREE.convert(line, 1))
        .isInstanceOf(TestbedException.class)
        .hasMessageStartingWith("'" + line + "' is no line of SWIM's");
  }

  @Test
  void aTraceWithoutJobsIsRefused() {
    assertThatThrownBy(() -> THREE.convert("\n", 1)).hasMessage("SWIM's trace has no job");
  }
}
