package io.orchestra.hadoop.prefetch;

import com.google.common.annotations.VisibleForTesting;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.resourcemanager.Coordinator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManagerWeb;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairSchedulerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's Fair Scheduler, which besides runs a shadow of itself ahead (FlexFetch, section III-A).
 * Its decisions are the Fair Scheduler's, whatever becomes of the shadow. Named in {@code
 * yarn.resourcemanager.scheduler.class}.
 */
public class FlexFetchScheduler extends FairScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(FlexFetchScheduler.class);

  /** Not in all versions of Hadoop. */
  private static final String AUTOCORRECT =
      "yarn.resourcemanager.scheduler.autocorrect.container.allocation";

  private PrefetchConfig config;
  private volatile Coordinator coordinator;

  @Override
  public void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    try {
      config = PrefetchConfig.from(conf);
    } catch (InvalidConfigurationException e) {
      LOG.error("Nothing is foretold: this is the Fair Scheduler only. {}", e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      LOG.error("Nothing is foretold: this is the Fair Scheduler only", e);
    }
  }

  @Override
  public void serviceStart() throws Exception {
    super.serviceStart();
    if (config == null || !config.enabled()) {
      LOG.info("The prefetch scheduler is switched off");
    } else if (isContinuousSchedulingEnabled()) {
      LOG.warn(
          "Nothing is foretold: the shadow does not know continuous scheduling. Set"
              + " yarn.scheduler.fair.continuous-scheduling-enabled to false");
    } else if (getConfig().getBoolean(AUTOCORRECT, false)) {
      // FairScheduler.allocate then takes the scheduler's write lock within an application's lock,
      // and a copy takes the application's within the scheduler's read lock.
      LOG.warn("Nothing is foretold: it could block the scheduler. Set {} to false", AUTOCORRECT);
    } else {
      startCoordinator();
    }
  }

  private void startCoordinator() {
    if (!FairSchedulerState.showsAllowedLocality()) {
      LOG.warn(
          "Delay scheduling is foretold as if it had just begun: this Hadoop does not show how far from its data an"
              + " application may go");
    }
    try {
      coordinator =
          Coordinator.start(
              this,
              readLock,
              getConfig(),
              config,
              rmContext.getAMRMTokenSecretManager(),
              this::allocates,
              this::believed,
              () -> ResourceManagerWeb.server(rmContext));
      LOG.info(
          "Running {} ahead, every {}; application masters report on port {}, DataNodes on {}",
          config.horizon(),
          config.interval(),
          coordinator.agentPort(),
          coordinator.daemonPort());
    } catch (Throwable e) {
      // Errors too: a thread that cannot be made must not keep the scheduler from its work.
      LOG.error("Nothing is foretold: this is the Fair Scheduler only", e);
    }
  }

  /** FairScheduler 1133. */
  private boolean allocates() {
    return !rmContext.isWorkPreservingRecoveryEnabled()
        || rmContext.isSchedulerReadyForAllocatingContainers();
  }

  /**
   * What becomes of a prediction before anybody hears of it: nothing. The testbed has a scheduler
   * whose predictions are wrong.
   */
  @VisibleForTesting
  List<Prediction> believed(List<Prediction> foretold) {
    return foretold;
  }

  @Override
  public void serviceStop() throws Exception {
    Coordinator ending = coordinator;
    coordinator = null;
    try {
      if (ending != null) {
        ending.close();
      }
    } catch (Throwable e) {
      LOG.warn("The prefetch coordinator did not end cleanly", e);
    }
    super.serviceStop();
  }

  /** Everything of ours; empty if it does not run. */
  public Optional<Coordinator> coordinator() {
    return Optional.ofNullable(coordinator);
  }

  @Override
  public void update() {
    super.update();
    tell(running -> running.speculation().updated());
  }

  @Override
  public Allocation allocate(
      ApplicationAttemptId attempt,
      List<ResourceRequest> asks,
      List<SchedulingRequest> schedulingRequests,
      List<ContainerId> released,
      List<String> blacklistAdditions,
      List<String> blacklistRemovals,
      ContainerUpdates updates) {
    // Told twice: what is copied in between may be what it asked for, or what it asks for now.
    tell(running -> running.speculation().beginsOrEndsCall(attempt));
    try {
      Allocation allocation =
          super.allocate(
              attempt,
              asks,
              schedulingRequests,
              released,
              blacklistAdditions,
              blacklistRemovals,
              updates);
      tell(running -> running.speculation().heardOf(attempt));
      return allocation;
    } finally {
      tell(running -> running.speculation().beginsOrEndsCall(attempt));
    }
  }

  @Override
  public void handle(SchedulerEvent event) {
    super.handle(event);
    if (event instanceof AppAttemptRemovedSchedulerEvent removed) {
      tell(running -> running.forget(removed.getApplicationAttemptID()));
    }
  }

  private void tell(Consumer<Coordinator> what) {
    Coordinator running = coordinator;
    if (running != null) {
      running.speculation().guarded(() -> what.accept(running));
    }
  }
}
