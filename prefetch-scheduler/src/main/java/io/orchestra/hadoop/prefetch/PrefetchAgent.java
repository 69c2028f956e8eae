package io.orchestra.hadoop.prefetch;

import io.orchestra.hadoop.prefetch.appmaster.ReporterThread;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.mapreduce.checkpoint.TaskCheckpointID;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports from an application master to the scheduler. It is a preemption policy only because every
 * application master has one, and hands over to the policy named by {@link
 * PrefetchConfig#DELEGATE}. Named in {@code yarn.app.mapreduce.am.preemption.policy}.
 */
public final class PrefetchAgent extends Configured implements AMPreemptionPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(PrefetchAgent.class);

  private AMPreemptionPolicy delegate = new NoopAMPreemptionPolicy();

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      // As MRAppMaster 567 makes the policy we stand for: what cannot be loaded is fatal there too.
      Class<? extends AMPreemptionPolicy> policy =
          conf.getClass(
              PrefetchConfig.DELEGATE.key(),
              NoopAMPreemptionPolicy.class,
              AMPreemptionPolicy.class);
      if (policy == PrefetchAgent.class) {
        LOG.warn("{} names this agent itself: nothing is preempted", PrefetchConfig.DELEGATE.key());
        policy = NoopAMPreemptionPolicy.class;
      }
      delegate = ReflectionUtils.newInstance(policy, conf);
    }
  }

  @Override
  public void init(AppContext context) {
    delegate.init(context);
    try {
      PrefetchConfig config = PrefetchConfig.from(getConf());
      if (config.enabled()) {
        ReporterThread.start(context, getConf(), config);
      }
    } catch (Throwable e) {
      // Errors too: a thread that cannot be made must not cost a job its application master.
      LOG.warn("The scheduler hears nothing of this job, which runs as ever", e);
    }
  }

  @Override
  public void preempt(Context context, PreemptionMessage requests) {
    delegate.preempt(context, requests);
  }

  @Override
  public boolean isPreempted(TaskAttemptId attempt) {
    return delegate.isPreempted(attempt);
  }

  @Override
  public void reportSuccessfulPreemption(TaskAttemptId attempt) {
    delegate.reportSuccessfulPreemption(attempt);
  }

  @Override
  public void handleFailedContainer(TaskAttemptId attempt) {
    delegate.handleFailedContainer(attempt);
  }

  @Override
  public void handleCompletedContainer(TaskAttemptId attempt) {
    delegate.handleCompletedContainer(attempt);
  }

  @Override
  public TaskCheckpointID getCheckpointID(TaskId task) {
    return delegate.getCheckpointID(task);
  }

  @Override
  public void setCheckpointID(TaskId task, TaskCheckpointID checkpoint) {
    delegate.setCheckpointID(task, checkpoint);
  }
}
