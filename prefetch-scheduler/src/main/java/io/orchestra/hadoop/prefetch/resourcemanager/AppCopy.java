package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Ask;
import io.orchestra.hadoop.prefetch.algorithm.shadow.AskKey;
import io.orchestra.hadoop.prefetch.algorithm.shadow.DelayState;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowApp;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowLeafQueue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * One application of the Fair Scheduler, and what its master has asked for.
 *
 * @param blacklist nodes and racks it wants no container on
 * @param told empty unless the application's job is known
 */
record AppCopy(
    FSAppAttempt real, Map<SchedulerRequestKey, Ask> asks, Set<String> blacklist, ToldAsks told) {
  /** Hosts of HDFS are asked for whether they run NodeManagers or not. */
  private static final int PLACES_PER_NODE = 4;

  /** So many asks are never too many. */
  static final int LEAST_ASKS = 10_000;

  /** Priorities and sizes: MapReduce has four, and each is looked at for each node. */
  static final int MOST_KEYS = 256;

  /**
   * Copies what it asks for; {@link #complete} adds the rest. Needs no lock of the scheduler, and
   * changes nothing of it: what requests compute when they are first asked they have been asked
   * before (AbstractYarnScheduler 1461, AppSchedulingInfo 390).
   *
   * @param known whether what its master was told matters
   * @param nodes of the cluster
   * @throws TooManyAsksException if it asks at more places than there can be, or not to be given
   *     any there, or at too many priorities
   */
  static AppCopy of(FSAppAttempt real, boolean known, int nodes) {
    AppSchedulingInfo info = real.getAppSchedulingInfo();
    long most = LEAST_ASKS + (long) PLACES_PER_NODE * nodes;
    verify(info, most);
    List<ResourceRequest> requests = info.getAllResourceRequests();
    // Places of a priority at which nothing is left to allocate as well.
    verifyAsks(requests.size(), most);
    ToldAsks told = new ToldAsks();
    Map<SchedulerRequestKey, Ask> asks = new LinkedHashMap<>();
    for (ResourceRequest request : requests) {
      asks.computeIfAbsent(
              SchedulerRequestKey.create(request),
              key -> new Ask(key(key), Vectors.of(request.getCapability())))
          .put(request.getResourceName(), ToldAsks.containers(request), request.getRelaxLocality());
      if (known) {
        told.add(request);
      }
    }
    Set<String> blacklist = real.getBlacklistedNodes();
    if (blacklist.size() > most) {
      throw new TooManyAsksException("no container on more than %d nodes".formatted(most));
    }
    return new AppCopy(real, asks, blacklist, told);
  }

  /**
   * Adds its containers, and how long each ask has waited; once. The caller holds the scheduler's
   * read lock.
   *
   * @param known as when asks were copied, or false
   * @throws TooManyAsksException if it asks at too many priorities
   */
  void complete(boolean known) {
    for (RMContainer container : real.getLiveContainers()) {
      // All of these may be allocated, and their master about to ask for more of the same size.
      SchedulerRequestKey taken = container.getAllocatedSchedulerKey();
      if (!taken.getPriority().equals(RMAppAttemptImpl.AM_CONTAINER_PRIORITY)) {
        asks.computeIfAbsent(
            taken, key -> new Ask(key(key), Vectors.of(container.getAllocatedResource())));
      }
      if (known) {
        told.add(container);
      }
    }
    verify(asks.size());
    asks.forEach(
        (key, ask) ->
            ask.setDelay(
                new DelayState(
                    locality(FairSchedulerState.allowedLocality(real, key)),
                    real.getSchedulingOpportunities(key))));
  }

  /** Asks that have changed are copied while the scheduler is held up, and all take memory. */
  private static void verify(AppSchedulingInfo info, long most) {
    verify(info.getSchedulerKeys().size());
    long asks = 0;
    for (SchedulerRequestKey key : info.getSchedulerKeys()) {
      AppPlacementAllocator<SchedulerNode> places = info.getAppPlacementAllocator(key);
      asks += places == null ? 1 : Math.max(1, places.getUniqueLocationAsks());
      verifyAsks(asks, most);
    }
  }

  private static void verifyAsks(long asks, long most) {
    if (asks > most) {
      throw new TooManyAsksException("more than %d asks".formatted(most));
    }
  }

  private static void verify(int keys) {
    if (keys > MOST_KEYS) {
      throw new TooManyAsksException(
          "asks at more than %d priorities and ids of requests".formatted(MOST_KEYS));
    }
  }

  /** Puts it into its queue. */
  ShadowApp app(ShadowLeafQueue queue, boolean runnable, boolean sizeBasedWeight) {
    ShadowApp shadow =
        new ShadowApp(
            queue,
            new ShadowApp.Facts(
                real.getName(),
                real.getStartTime(),
                runnable,
                real.isAmRunning() || real.getUnmanagedAM(),
                sizeBasedWeight,
                FairSchedulerState.isMinShareStarved(real),
                blacklist),
            Vectors.of(real.getResourceUsage()),
            Vectors.of(real.getDemand()),
            Vectors.of(real.getFairShare()));
    asks.values().forEach(shadow::ask);
    return shadow;
  }

  static AskKey key(SchedulerRequestKey key) {
    return new AskKey(key.getPriority().getPriority(), key.getAllocationRequestId());
  }

  private static Locality locality(NodeType type) {
    if (type == null) {
      return null;
    }
    return switch (type) {
      case NODE_LOCAL -> Locality.NODE_LOCAL;
      case RACK_LOCAL -> Locality.RACK_LOCAL;
      case OFF_SWITCH -> Locality.OFF_SWITCH;
    };
  }
}
