package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

final class ToldAsksTest {
  private final ToldAsks told = new ToldAsks();

  @Test
  void mapsThatWaitAreThoseThatContainersAreAskedFor() {
    told.add(request(ShadowTask.MAP, 3));
    told.add(request(ShadowTask.FAILED_MAP, 2));
    told.add(request(ShadowTask.REDUCE, 7));

    assertThat(told.runningMaps() + told.waitingMaps()).isEqualTo(5);
  }

  @Test
  void numbersThatCannotBeAddedUpOrAreNegativeHarmNobody() {
    told.add(request(ShadowTask.MAP, Integer.MAX_VALUE));
    told.add(request(ShadowTask.MAP, Integer.MAX_VALUE));
    told.add(request(ShadowTask.MAP, -5));
    told.add(request(ShadowTask.FAILED_MAP, Integer.MIN_VALUE));

    assertThat(told.runningMaps() + told.waitingMaps()).isEqualTo(Integer.MAX_VALUE);
  }

  private static ResourceRequest request(int priority, int containers) {
    return RealScheduler.request(
        priority, ResourceRequest.ANY, Resource.newInstance(1024, 1), containers);
  }
}
