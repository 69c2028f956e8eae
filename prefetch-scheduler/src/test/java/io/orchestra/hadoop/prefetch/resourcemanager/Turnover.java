package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;

/**
 * Lets maps of a {@link FullCluster} end one by one, and keeps it as full as it was: whoever gets a
 * container hears of it at once, and asks for one more at the same places.
 */
final class Turnover {
  private final FullCluster cluster;
  private final BiConsumer<ApplicationAttemptId, JobView> listener;

  /**
   * @param listener is told what is known of a job whenever that has changed
   */
  Turnover(FullCluster cluster, BiConsumer<ApplicationAttemptId, JobView> listener) {
    this.cluster = cluster;
    this.listener = listener;
  }

  /** Lets a map end on a host, if there is one. */
  boolean end(String host) {
    Optional<ContainerId> ending = first(host, ToldAsks::isMap).map(RMContainer::getContainerId);
    ending.ifPresent(
        container -> {
          cluster.real().end(container);
          tell(container, cluster.ended(container, System.nanoTime()));
        });
    return ending.isPresent();
  }

  /** Whether somebody has got a container on a host, which his master has been given now. */
  boolean renew(String host) {
    Optional<RMContainer> allocated = first(host, ToldAsks::isUntold);
    allocated.ifPresent(
        container -> {
          cluster.real().allocate(container.getApplicationAttemptId(), asks(container), List.of());
          ContainerId begun = container.getContainerId();
          tell(begun, cluster.begun(begun, System.nanoTime()));
        });
    return allocated.isPresent();
  }

  private Optional<RMContainer> first(String host, Predicate<RMContainer> kind) {
    return cluster.real().containers(host).stream().filter(kind).findFirst();
  }

  /** For as many containers as before this one. */
  private List<ResourceRequest> asks(RMContainer container) {
    FSAppAttempt app = cluster.scheduler().getSchedulerApp(container.getApplicationAttemptId());
    AppSchedulingInfo info = app.getAppSchedulingInfo();
    List<ResourceRequest> asks = new ArrayList<>();
    for (ResourceRequest got : container.getContainerRequest().getResourceRequests()) {
      String place = got.getResourceName();
      int left = info.getPendingAsk(container.getAllocatedSchedulerKey(), place).getCount();
      asks.add(
          RealScheduler.request(
              got.getPriority().getPriority(), place, got.getCapability(), left + 1));
    }
    return asks;
  }

  private void tell(ContainerId container, JobView view) {
    listener.accept(container.getApplicationAttemptId(), view);
  }
}
