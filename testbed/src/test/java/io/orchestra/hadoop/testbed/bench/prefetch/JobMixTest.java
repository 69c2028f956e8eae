package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.agent.PacedTextInputFormat;
import io.orchestra.hadoop.testbed.bench.prefetch.JobMix.PlannedJob;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class JobMixTest {
  static List<JobMix> mixes() {
    return List.of(JobMix.FULL, JobMix.QUICK);
  }

  @ParameterizedTest
  @MethodSource("mixes")
  void aSeedHasOneSchedule(JobMix mix) {
    assertThat(mix.draw(1)).isEqualTo(mix.draw(1)).isNotEqualTo(mix.draw(2));
  }

  @ParameterizedTest
  @MethodSource("mixes")
  void whatGoesWrongDoesSoInTheMiddleOfASchedule(JobMix mix) {
    long rate = PrefetchTestbed.BYTES_PER_SECOND;
    double atLeast = 1e3 * (mix.maps() + mix.fillingMaps()) * mix.blockBytes() / rate;

    assertThat(mix.faultMillis(1, rate))
        .isEqualTo(mix.faultMillis(1, rate))
        .isNotEqualTo(mix.faultMillis(2, rate));
    for (long seed = 1; seed <= 100; seed++) {
      assertThat((double) mix.faultMillis(seed, rate) - mix.draw(seed).get(0).millis())
          .isBetween(atLeast / 3 - 1, atLeast * 2 / 3 + 1);
    }
  }

  @Test
  void mapsReadThroughTheFormatThatPacesThem() {
    assertThat(Kind.SEARCH.words("in", "out", 1))
        .contains("-Dmapreduce.job.inputformat.class=" + PacedTextInputFormat.class.getName());
    assertThat(Kind.SELECT.words("in", "out", 1)).contains(PacedTextInputFormat.class.getName());
  }

  @ParameterizedTest
  @MethodSource("mixes")
  void everyScheduleHasAllJobsAndEachReadsDifferentFiles(JobMix mix) {
    List<PlannedJob> schedule = mix.draw(3);

    assertThat(schedule).hasSize(mix.jobs());
    assertThat(schedule).extracting(PlannedJob::name).doesNotHaveDuplicates();
    assertThat(schedule).extracting(PlannedJob::millis).isSorted();
    for (PlannedJob job : schedule) {
      assertThat(job.files())
          .hasSize(job.bin().maps())
          .doesNotHaveDuplicates()
          .allMatch(file -> file >= 0 && file < JobMix.FILES);
    }
    assertThat(schedule.stream().mapToInt(job -> job.files().size()).sum())
        .isEqualTo(mix.maps())
        .isLessThanOrEqualTo(150);
  }

  @ParameterizedTest
  @MethodSource("mixes")
  void aJobsBinIsKnownFromItsKindAndMaps(JobMix mix) {
    Set<String> seen = new HashSet<>();

    assertThat(mix.bins())
        .as("nor is it the job that fills the cluster before")
        .noneMatch(bin -> bin.maps() == mix.fillingMaps());
    assertThat(mix.fillingFiles()).hasSize(mix.fillingMaps()).allMatch(file -> file < JobMix.FILES);
    assertThat(mix.bins())
        .allMatch(bin -> seen.add(bin.maps() + " " + (bin.kind() == Kind.SEARCH)));
  }
}
