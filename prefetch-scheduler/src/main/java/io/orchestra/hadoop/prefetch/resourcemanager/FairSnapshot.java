package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.util.concurrent.RateLimiter;
import io.orchestra.hadoop.prefetch.algorithm.shadow.SchedulerRules;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowApp;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowCluster;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowLeafQueue;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowMaster;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowNode;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowParentQueue;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowQueue;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowScheduler;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun;
import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSParentQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerState;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of a Fair Scheduler; what runs from it shares nothing with that. Application masters may
 * change their asks while it is taken, and are seen before or after that. An application that
 * cannot be copied is left out, and the others are foretold as if it asked for nothing.
 */
final class FairSnapshot {
  private static final Logger LOG = LoggerFactory.getLogger(FairSnapshot.class);
  private static final RateLimiter WARNINGS = RateLimiter.create(1.0 / 60);

  private record Master(
      ShadowApp app, JobView job, List<ShadowContainer> unreported, ToldAsks told, Pace pace) {

    ShadowMaster shadow() {
      return new ShadowMaster(
          app, believable(job.waitingMaps(), told), job.served(), unreported, told.places());
    }
  }

  /**
   * A container on a node.
   *
   * @param isUntold whether its master had not heard of it then
   */
  private record Held(RMContainer container, boolean isUntold) {}

  /** So many maps a job may have before its application master has asked for their containers. */
  static final int LEAST_BELIEVED = 500;

  private final FairScheduler scheduler;
  private final Function<ApplicationAttemptId, Optional<JobView>> jobs;
  private final AsksAhead asks;
  private final Paces paces;
  private final BooleanSupplier isTooLong;
  private final boolean sizeBasedWeight;
  private final Resource total;
  private final Map<NodeId, ShadowNode> nodes = new LinkedHashMap<>();
  private final Map<NodeId, Pace> nodePaces = new HashMap<>();
  private final List<Master> masters = new ArrayList<>();
  private final Map<ApplicationAttemptId, ShadowApp> apps = new LinkedHashMap<>();
  private final Map<String, JobState> states = new HashMap<>();

  /** As the scheduler has them: they are copied when it is not locked any more. */
  private final Map<ShadowNode, List<Held>> held = new LinkedHashMap<>();

  private final List<RMContainer> untold = new ArrayList<>();
  private final Map<ApplicationAttemptId, JobView> views = new HashMap<>();
  private final Map<ApplicationAttemptId, ToldAsks> told = new HashMap<>();
  private final Map<ApplicationAttemptId, SortedMap<ContainerId, ShadowContainer>> unreported =
      new HashMap<>();
  private ShadowParentQueue root;

  private FairSnapshot(
      FairScheduler scheduler,
      Function<ApplicationAttemptId, Optional<JobView>> jobs,
      AsksAhead asks,
      Paces paces,
      BooleanSupplier isTooLong) {
    this.scheduler = scheduler;
    this.jobs = jobs;
    this.asks = asks;
    this.paces = paces;
    this.isTooLong = isTooLong;
    sizeBasedWeight = scheduler.isSizeBasedWeight();
    total = Resources.clone(scheduler.getClusterResource());
  }

  /**
   * Maps that are said to wait, but no more than the scheduler was asked containers for, as soon as
   * there are many.
   */
  static List<ShadowTask> believable(List<ShadowTask> waiting, ToldAsks told) {
    long most = Math.max(LEAST_BELIEVED, told.runningMaps() + told.waitingMaps());
    return waiting.size() <= most ? waiting : waiting.subList(0, (int) most);
  }

  /**
   * Tasks that are not completed. Jobs with few go first: who asks for few containers and tells of
   * many maps, or the other way round, has many.
   */
  static long residual(JobView job, ToldAsks told) {
    return told.tasks(believable(job.waitingMaps(), told).size());
  }

  /**
   * Copies the scheduler. The caller holds its read lock.
   *
   * @param jobs what is known of an application master's job, if it is a MapReduce job
   * @param asks copied before, and used up
   * @param isTooLong asked again and again whether the scheduler has been held up for too long
   * @throws TooLargeException if it has
   * @throws ForeignPolicyException if a queue's policy is none of Hadoop's own
   */
  static FairSnapshot take(
      FairScheduler scheduler,
      Function<ApplicationAttemptId, Optional<JobView>> jobs,
      AsksAhead asks,
      Paces paces,
      BooleanSupplier isTooLong) {
    FairSnapshot snapshot = new FairSnapshot(scheduler, jobs, asks, paces, isTooLong);
    snapshot.copy();
    return snapshot;
  }

  private void copy() {
    FSParentQueue realRoot = scheduler.getQueueManager().getRootQueue();
    for (FSSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      nodes.put(node.getNodeID(), node(node));
      paces.node(node).ifPresent(pace -> nodePaces.put(node.getNodeID(), pace));
    }
    root = parentQueue(realRoot, null);
    addChildren(realRoot, root);
    scheduler.getNodeTracker().getAllNodes().forEach(this::hold);
  }

  /**
   * Needs no lock; may be called once.
   *
   * @param launchDelay nanoseconds from the moment a task gets its container to its launch
   * @param isSpent asked again and again whether this, and the run, have taken too long
   * @return a run that starts where the scheduler was
   * @throws CancellationException if it has
   */
  SpeculativeRun run(long launchDelay, BooleanSupplier isSpent) {
    held.forEach(this::addContainers);
    addUntold();
    apps.forEach((attempt, app) -> addMaster(attempt));
    ShadowCluster cluster = new ShadowCluster(root, List.copyOf(nodes.values()), Vectors.of(total));
    SpeculativeRun run =
        new SpeculativeRun(new ShadowScheduler(cluster, rules()), launchDelay)
            .updates(paces.updates());
    for (Master master : masters) {
      if (isSpent.getAsBoolean()) {
        throw new CancellationException("before the first launch");
      }
      guarded(master.app().name(), () -> run.master(master.shadow(), master.pace()));
    }
    // In the order of the nodes: it decides who goes first at a tie.
    nodes.forEach(
        (id, node) ->
            Optional.ofNullable(nodePaces.get(id)).ifPresent(pace -> run.node(node, pace)));
    return run;
  }

  /** What the scheduler knows of MapReduce jobs, by the names of their applications. */
  Map<String, JobState> states() {
    return Map.copyOf(states);
  }

  private SchedulerRules rules() {
    FairSchedulerConfiguration conf = scheduler.getConf();
    Resource threshold =
        Resources.multiply(
            scheduler.getIncrementResourceCapability(),
            conf.getReservationThresholdIncrementMultiple());
    return new SchedulerRules(
        conf.getAssignMultiple(),
        conf.isMaxAssignDynamic(),
        conf.getMaxAssign(),
        scheduler.getNodeLocalityThreshold(),
        scheduler.getRackLocalityThreshold(),
        conf.getReservableNodes(),
        Vectors.of(threshold));
  }

  private static ShadowNode node(FSSchedulerNode real) {
    return new ShadowNode(
        real.getNodeName(),
        real.getNodeID().getHost(),
        real.getRackName(),
        Vectors.of(real.getRMNode().getTotalCapability()),
        Vectors.of(real.getUnallocatedResource()));
  }

  private void addChildren(FSParentQueue real, ShadowParentQueue shadow) {
    for (FSQueue child : real.getChildQueues()) {
      if (child instanceof FSParentQueue parent) {
        addChildren(parent, parentQueue(parent, shadow));
      } else {
        addLeaf((FSLeafQueue) child, shadow);
      }
    }
  }

  private ShadowParentQueue parentQueue(FSParentQueue real, ShadowParentQueue parent) {
    return new ShadowParentQueue(
        real.getName(),
        parent,
        limits(real),
        new StockPolicy(real.getPolicy(), total),
        Vectors.of(real.getResourceUsage()),
        Vectors.of(real.getDemand()),
        Vectors.of(real.getFairShare()));
  }

  private void addLeaf(FSLeafQueue real, ShadowParentQueue parent) {
    ShadowLeafQueue shadow =
        new ShadowLeafQueue(
            real.getName(),
            parent,
            limits(real),
            new StockPolicy(real.getPolicy(), total),
            Vectors.of(real.getResourceUsage()),
            Vectors.of(real.getDemand()),
            Vectors.of(real.getFairShare()),
            Vectors.of(FairSchedulerState.amUsage(real)));
    Set<FSAppAttempt> nonRunnable = new HashSet<>(FairSchedulerState.nonRunnable(real));
    List<ApplicationAttemptId> attempts = new ArrayList<>();
    real.collectSchedulerApplications(attempts);
    for (ApplicationAttemptId attempt : attempts) {
      FSAppAttempt app = scheduler.getSchedulerApp(attempt);
      if (app != null && !app.isStopped()) {
        goOn();
        guarded(attempt, () -> addApp(app, shadow, !nonRunnable.contains(app)));
      }
    }
  }

  private void goOn() {
    if (isTooLong.getAsBoolean()) {
      throw new TooLargeException();
    }
  }

  private static void guarded(Object app, Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      if (WARNINGS.tryAcquire()) {
        LOG.warn("{} is left out of predictions (told at most once a minute)", app, e);
      }
    }
  }

  private static ShadowQueue.Limits limits(FSQueue queue) {
    return new ShadowQueue.Limits(
        queue.getWeight(),
        Vectors.of(queue.getMinShare()),
        Vectors.of(queue.getMaxShare()),
        queue.getMaxAMShare());
  }

  /** Nothing is changed before all of the application is known. */
  private void addApp(FSAppAttempt real, ShadowLeafQueue queue, boolean runnable) {
    ApplicationAttemptId attempt = real.getApplicationAttemptId();
    Optional<JobView> view = jobs.apply(attempt);
    boolean known = view.isPresent();
    AppCopy copy = asks.take(real, known).orElseGet(() -> AppCopy.of(real, known, nodes.size()));
    copy.complete(known);
    apps.put(attempt, copy.app(queue, runnable, sizeBasedWeight));
    told.put(attempt, copy.told());
    view.ifPresent(
        job -> {
          views.put(attempt, job);
          states.put(
              real.getName(),
              new JobState(real.getUser(), residual(job, copy.told()), job.mapNanos()));
        });
  }

  private void hold(FSSchedulerNode real) {
    goOn();
    ShadowNode shadow = nodes.get(real.getNodeID());
    List<Held> containers = new ArrayList<>();
    for (RMContainer container : real.getCopiedListOfRunningContainers()) {
      containers.add(new Held(container, ToldAsks.isUntold(container)));
    }
    held.put(shadow, containers);
    RMContainer reserved = real.getReservedContainer();
    ShadowApp waiting = reserved == null ? null : apps.get(reserved.getApplicationAttemptId());
    if (waiting != null) {
      shadow.reserve(
          waiting,
          AppCopy.key(reserved.getReservedSchedulerKey()),
          Vectors.of(reserved.getReservedResource()));
    }
  }

  private void addContainers(ShadowNode node, List<Held> containers) {
    for (Held each : containers) {
      RMContainer container = each.container();
      ShadowApp app = apps.get(container.getApplicationAttemptId());
      if (app != null && each.isUntold()) {
        untold.add(container);
      } else if (app != null) {
        ShadowContainer running =
            node.addRunning(
                app,
                AppCopy.key(container.getAllocatedSchedulerKey()),
                Vectors.of(container.getAllocatedResource()),
                end(container));
        if (isUnreported(container)) {
          unreported
              .computeIfAbsent(container.getApplicationAttemptId(), unused -> new TreeMap<>())
              .put(container.getContainerId(), running);
        }
      }
    }
  }

  /** The master has it, and has not said what for: reports come later than heartbeats. */
  private boolean isUnreported(RMContainer container) {
    return ToldAsks.isMap(container)
        && job(container.getApplicationAttemptId())
            .filter(job -> !job.reported().contains(container.getContainerId()))
            .isPresent();
  }

  private List<ShadowContainer> unreported(ApplicationAttemptId attempt) {
    return List.copyOf(unreported.getOrDefault(attempt, Collections.emptySortedMap()).values());
  }

  private long end(RMContainer container) {
    return job(container.getApplicationAttemptId())
        .map(job -> job.ends().get(container.getContainerId()))
        .orElse(ShadowContainer.NEVER);
  }

  /** In the order in which they were allocated, and their master will get them. */
  private void addUntold() {
    untold.sort(Comparator.comparing(RMContainer::getContainerId));
    for (RMContainer container : untold) {
      nodes
          .get(container.getAllocatedNode())
          .addAllocated(
              apps.get(container.getApplicationAttemptId()),
              AppCopy.key(container.getAllocatedSchedulerKey()),
              Vectors.of(container.getAllocatedResource()));
    }
  }

  private Optional<JobView> job(ApplicationAttemptId attempt) {
    return Optional.ofNullable(views.get(attempt));
  }

  private void addMaster(ApplicationAttemptId attempt) {
    job(attempt)
        .ifPresent(
            job ->
                masters.add(
                    new Master(
                        apps.get(attempt),
                        job,
                        unreported(attempt),
                        told.get(attempt),
                        paces.master(attempt))));
  }
}
