package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

final class MapNamesTest {
  @Test
  void namesAreThoseOfMapReduce() {
    for (int number : new int[] {0, 17, 999_999, 1_234_567}) {
      for (int job : new int[] {7, 9_999, 20_000}) {
        String name = MapNames.attempt(ApplicationId.newInstance(5, job), number, 3);

        assertThat(name).isEqualTo(new TaskAttemptID("5", job, TaskType.MAP, number, 3).toString());
        assertThat(MapNames.task(name)).hasValue(number);
      }
    }
  }

  @Test
  void whatIsNoMapHasNoNumber() {
    assertThat(MapNames.task("reduce 3")).isEmpty();
    assertThat(MapNames.task("attempt_1_0001_r_000000_0")).isEmpty();
    assertThat(MapNames.task("attempt_1_0001_m_x_0")).isEmpty();
  }
}
