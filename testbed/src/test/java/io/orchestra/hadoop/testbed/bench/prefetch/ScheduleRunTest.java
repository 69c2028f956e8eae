package io.orchestra.hadoop.testbed.bench.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

final class ScheduleRunTest {
  @Test
  void recallIsWhatWasRightOfLaunchesThatCouldBe() throws JsonProcessingException {
    JsonNode predictions = json("{'right': 6, 'late': 2, 'missed': 4, 'wrong': 9, 'sudden': 4}");

    assertThat(ScheduleRun.recall(predictions, 0)).isEqualTo(0.5);
    assertThat(ScheduleRun.recall(predictions, 4)).isEqualTo(0.75);
  }

  @Test
  void precisionIsWhatWasRightOfWhatWasForetold() throws JsonProcessingException {
    assertThat(ScheduleRun.precision(json("{'right': 6, 'wrong': 2, 'moved': 9}"))).isEqualTo(0.75);
    assertThat(ScheduleRun.precision(json("{'missed': 1}"))).isZero();
  }

  @Test
  void whereNothingWasLaunchedNothingWasForetold() throws JsonProcessingException {
    assertThat(ScheduleRun.recall(json("{'late': 1, 'sudden': 1}"), 1)).isZero();
    assertThat(ScheduleRun.recall(json("{}"), 0)).isZero();
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
