package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ScheduledMapsTest {
  private static final String REPORT =
      """
      {
        'localityByJob': {
          'application_7_0001': {'local': 2, 'ready': 1, 'partly': 1, 'away': 1},
          'application_7_0002': {'local': 1, 'confirmedReady': 1},
          'application_7_0003': {'local': 9, 'away': 9}
        },
        'lastLaunches': [
          %s
        ]
      }
      """
          .formatted(
              String.join(
                  ",\n",
                  launch(1, "RIGHT", false, false, "a", 500),
                  launch(1, "RIGHT", false, false, "a", -1500),
                  launch(1, "LATE", true, false, "a", 4000),
                  launch(1, "MISSED", false, true, "b", 9000),
                  launch(2, "LOCAL", false, true, "a", 9000),
                  launch(2, "LOCAL", false, false, "", 0),
                  launch(3, "RIGHT", false, false, "a", 9000)));

  @Test
  void onlyMapsOfTheJobsCount() throws JsonProcessingException {
    ScheduledMaps maps = maps(REPORT, "job_7_0001", "job_7_0002");

    assertThat(maps.found()).isEqualTo(7);
    assertThat(maps.places()).containsEntry("local", 3L).containsEntry("confirmedReady", 1L);
    assertThat(maps.ready()).isEqualTo(0.5);
    assertThat(maps.prepared()).isEqualTo(5 / 7.0);
    assertThat(maps.launched()).isEqualTo(6);
    assertThat(maps.launches())
        .isEqualTo(
            Map.of("right", 2L, "late", 1L, "missed", 1L, "local", 2L, "sudden", 1L, "wrong", 2L));
  }

  @Test
  void recallIsWhatWasRightOfLaunchesAwayFromTheirInput() throws JsonProcessingException {
    ScheduledMaps maps = maps(REPORT, "job_7_0001", "job_7_0002");

    assertThat(maps.recall()).isEqualTo(0.5);
    assertThat(maps.saturatedRecall()).isEqualTo(2 / 3.0);
    assertThat(maps.rawRecall(8)).as("nobody has told of four of them").isEqualTo(0.25);
    assertThat(maps.precision()).isEqualTo(0.5);
    assertThat(maps.secondsOfError()).hasValue(2);
  }

  @Test
  void aFewMapsNobodyTellsOf() throws JsonProcessingException {
    ScheduledMaps maps = maps(REPORT, "job_7_0001", "job_7_0002");

    assertThat(maps.tellOf(6)).isTrue();
    assertThat(maps.tellOf(8)).isTrue();
    assertThat(maps.tellOf(9)).isFalse();
  }

  @Test
  void whoTellsOfNoMapIsNotBelievedHoweverFewThereWere() throws JsonProcessingException {
    assertThat(maps(REPORT, "job_7_0002").tellOf(0)).isTrue();
    assertThat(maps(REPORT, "job_7_0009").tellOf(0)).isFalse();
  }

  @Test
  void whereNothingWasLaunchedNothingWasForetold() throws JsonProcessingException {
    for (ScheduledMaps maps : List.of(maps(REPORT, "job_7_0009"), maps("{}", "job_7_0001"))) {
      assertThat(maps.found()).isZero();
      assertThat(maps.launches()).containsEntry("right", 0L).containsEntry("wrong", 0L);
      assertThat(maps.ready()).isEqualTo(1);
      assertThat(maps.prepared()).isZero();
      assertThat(maps.recall()).isZero();
      assertThat(maps.rawRecall(0)).isZero();
      assertThat(maps.precision()).isZero();
      assertThat(maps.secondsOfError()).isEmpty();
    }
  }

  private static String launch(
      int job, String verdict, boolean sudden, boolean wrong, String expected, long early) {
    return """
        {'task': 'attempt_7_%04d_m_000001_0', 'host': 'a', 'local': %b, 'expected': '%s',
         'earlyMillis': %d, 'verdict': '%s', 'sudden': %b, 'wrong': %b}"""
        .formatted(job, verdict.equals("LOCAL"), expected, early, verdict, sudden, wrong);
  }

  private static ScheduledMaps maps(String report, String... jobs) throws JsonProcessingException {
    return ScheduledMaps.of(new ObjectMapper().readTree(report.replace('\'', '"')), List.of(jobs));
  }
}
