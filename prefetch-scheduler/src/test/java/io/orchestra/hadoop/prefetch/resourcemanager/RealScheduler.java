package io.orchestra.hadoop.prefetch.resourcemanager;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;

/**
 * A Fair Scheduler of Hadoop inside a ResourceManager that is never started: nothing happens but
 * what a test does. Hosts are loopback addresses, as a container's token needs a host that
 * resolves.
 */
final class RealScheduler implements Closeable {
  private final Path allocations;
  private final ResourceManager resourceManager = new ResourceManager();
  private long now;
  private final Map<String, RMNode> nodes = new HashMap<>();
  private final FairScheduler scheduler;

  /**
   * @param type of the scheduler
   * @param queues the allocation file
   * @param settings of the scheduler
   */
  RealScheduler(Class<? extends FairScheduler> type, String queues, Map<String, String> settings) {
    DefaultMetricsSystem.setMiniClusterMode(true);
    QueueMetrics.clearQueueMetrics();
    try {
      allocations = Files.createTempFile("fair-scheduler", ".xml");
      Files.writeString(allocations, queues);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Configuration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.RM_SCHEDULER, type.getName());
    conf.set("yarn.scheduler.fair.allocation.file", allocations.toUri().toString());
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
    conf.setInt("yarn.resource-types.memory-mb.increment-allocation", 256);
    conf.set("orchestra.prefetch.agent.port", "0");
    conf.set("orchestra.prefetch.daemon.port", "0");
    settings.forEach(conf::set);
    resourceManager.init(conf);
    resourceManager.getRMContext().getContainerTokenSecretManager().rollMasterKey();
    resourceManager.getRMContext().getNMTokenSecretManager().rollMasterKey();
    tokens().start();
    scheduler = (FairScheduler) resourceManager.getResourceScheduler();
    scheduler.setClock(() -> now);
  }

  FairScheduler scheduler() {
    return scheduler;
  }

  void at(long millis) {
    now = millis;
  }

  void addNode(String host, String rack, Resource capability) {
    RMNode node =
        new RMNodeImpl(
            NodeId.newInstance(host, 1234),
            resourceManager.getRMContext(),
            host,
            1234,
            2345,
            new NodeBase(host, rack),
            capability,
            "3.5.0");
    nodes.put(host, node);
    resourceManager.getRMContext().getRMNodes().put(node.getNodeID(), node);
    scheduler.handle(new NodeAddedSchedulerEvent(node));
  }

  /** Submits an application that asks for its master's container. */
  ApplicationAttemptId submit(int number, String queue, Resource master) {
    ApplicationId id = ApplicationId.newInstance(1, number);
    ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
    resourceManager
        .getRMContext()
        .getRMApps()
        .put(id, FakeApplication.of(attempt, resourceManager.getRMContext()));
    scheduler.handle(
        new AppAddedSchedulerEvent(id, queue, "user", new ApplicationPlacementContext(queue)));
    scheduler.handle(new AppAttemptAddedSchedulerEvent(attempt, false));
    allocate(attempt, List.of(request(0, ResourceRequest.ANY, master, 1)), List.of());
    return attempt;
  }

  /** What an application master shows to the ResourceManager. */
  Token<AMRMTokenIdentifier> token(ApplicationAttemptId attempt) {
    return tokens().createAndGetAMRMToken(attempt);
  }

  /** Of application masters. */
  AMRMTokenSecretManager tokens() {
    return resourceManager.getRMContext().getAMRMTokenSecretManager();
  }

  List<Container> allocate(
      ApplicationAttemptId attempt, List<ResourceRequest> asks, List<ContainerId> released) {
    return scheduler
        .allocate(attempt, asks, null, released, List.of(), List.of(), new ContainerUpdates())
        .getContainers();
  }

  static ResourceRequest request(int priority, String place, Resource capability, int containers) {
    return ResourceRequest.newInstance(
        Priority.newInstance(priority), place, capability, containers);
  }

  /** A node reports that containers have ended. */
  void heartbeat(String host, List<ContainerId> ended) {
    ended.forEach(this::end);
    scheduler.handle(new NodeUpdateSchedulerEvent(nodes.get(host)));
  }

  /** A container has ended; its node need not say so. */
  void end(ContainerId container) {
    scheduler.completedContainer(
        scheduler.getRMContainer(container),
        ContainerStatus.newInstance(container, ContainerState.COMPLETE, "", 0),
        RMContainerEventType.FINISHED);
  }

  /** What runs on a node. */
  List<RMContainer> containers(String host) {
    return scheduler
        .getNodeTracker()
        .getNode(nodes.get(host).getNodeID())
        .getCopiedListOfRunningContainers();
  }

  /** A node is heard of, and gets nothing. */
  void beat(String host) {
    scheduler.getNodeTracker().getNode(nodes.get(host).getNodeID()).notifyNodeUpdate();
  }

  FairSnapshot snapshot(Function<ApplicationAttemptId, Optional<JobView>> jobs, Paces paces) {
    return snapshot(asksAhead(), jobs, paces);
  }

  /** What is copied before the scheduler is locked. No master may call until it is used. */
  AsksAhead asksAhead() {
    return AsksAhead.of(scheduler, master -> 0, master -> true, () -> false);
  }

  FairSnapshot snapshot(
      AsksAhead asks, Function<ApplicationAttemptId, Optional<JobView>> jobs, Paces paces) {
    return FairSnapshot.take(scheduler, jobs, asks, paces, () -> false);
  }

  @Override
  public void close() {
    scheduler.stop();
    tokens().stop();
    resourceManager.stop();
    try {
      Files.delete(allocations);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
