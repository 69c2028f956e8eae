package io.orchestra.hadoop.shuffle.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShuffledJobsTest {
  private final ShuffledJobs jobs = new ShuffledJobs();

  @Test
  void addsUpWhatAReducerWasTold() {
    jobs.told(sizes(3));
    jobs.told(new RangeRequest(ShuffledJob.ID, 3, ShuffledJob.attempt(0), 0, 10, 20));
    jobs.told(new RangeRequest(ShuffledJob.ID, 3, ShuffledJob.attempt(0), 10, 10, 20));

    ShuffledJobsMXBean.ReducerView view = jobs.getJobs().get(ShuffledJob.ID).get(3);
    assertThat(view.getSizes()).isEqualTo(1);
    assertThat(view.getRanges()).isEqualTo(2);
    assertThat(view.getBytes()).isEqualTo(20);
  }

  @Test
  void keepsABoundedNumberOfReducersHoweverManyAsk() {
    for (int reduce = 0; reduce < 3 * ShuffledJobs.MOST_REDUCERS; reduce++) {
      jobs.told(sizes(reduce));
    }
    jobs.told(sizes(0));

    assertThat(jobs.getJobs().get(ShuffledJob.ID)).hasSize(ShuffledJobs.MOST_REDUCERS);
    assertThat(jobs.getJobs().get(ShuffledJob.ID).get(0).getSizes()).isEqualTo(2);
  }

  private static SizesRequest sizes(int reduce) {
    return new SizesRequest(ShuffledJob.ID, reduce, List.of(ShuffledJob.attempt(0)));
  }
}
