package io.orchestra.hadoop.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.mapreduce.checkpoint.TaskCheckpointID;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PrefetchAgentTest {
  private static final List<String> CALLS = new ArrayList<>();
  private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
  private static final TaskId TASK = MRBuilderUtils.newTaskId(JOB, 0, TaskType.MAP);
  private static final TaskAttemptId ATTEMPT = MRBuilderUtils.newTaskAttemptId(TASK, 0);

  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void forget() {
    CALLS.clear();
    conf.setBoolean("orchestra.prefetch.enabled", false);
  }

  @Test
  void everyDecisionIsTheDelegates() {
    conf.set("orchestra.prefetch.am.preemption-policy.delegate", Noted.class.getName());
    AMPreemptionPolicy agent = agent();
    agent.init(null);
    agent.preempt(null, null);
    assertThat(agent.isPreempted(ATTEMPT)).isTrue();
    agent.reportSuccessfulPreemption(ATTEMPT);
    agent.handleFailedContainer(ATTEMPT);
    agent.handleCompletedContainer(ATTEMPT);
    assertThat(agent.getCheckpointID(TASK)).isNull();
    agent.setCheckpointID(TASK, null);

    assertThat(CALLS)
        .containsExactly(
            "setConf",
            "init",
            "preempt",
            "isPreempted",
            "reportSuccessfulPreemption",
            "handleFailedContainer",
            "handleCompletedContainer",
            "getCheckpointID",
            "setCheckpointID");
  }

  @Test
  void withoutADelegateNothingIsPreempted() {
    AMPreemptionPolicy agent = agent();
    agent.init(null);

    assertThat(agent.isPreempted(ATTEMPT)).isFalse();
  }

  @Test
  void aDelegateThatIsMissingIsAsFatalAsItWouldBeWithoutUs() {
    conf.set("orchestra.prefetch.am.preemption-policy.delegate", "no.such.Policy");

    assertThatThrownBy(this::agent).isInstanceOf(RuntimeException.class);
  }

  @Test
  void aWrongSettingHarmsNoJob() {
    conf.set("orchestra.prefetch.horizon", "soon");

    assertThatCode(() -> agent().init(null)).doesNotThrowAnyException();
  }

  @Test
  void anApplicationMasterThatIsNotAsExpectedHarmsNoJob() {
    conf.setBoolean("orchestra.prefetch.enabled", true);

    assertThatCode(() -> agent().init(null)).doesNotThrowAnyException();
  }

  @Test
  void anErrorHarmsNoJob() {
    conf.setBoolean("orchestra.prefetch.enabled", true);
    AppContext context =
        (AppContext)
            Proxy.newProxyInstance(
                AppContext.class.getClassLoader(),
                new Class<?>[] {AppContext.class},
                (proxy, method, arguments) -> {
                  throw new OutOfMemoryError("unable to create native thread");
                });

    assertThatCode(() -> agent().init(context)).doesNotThrowAnyException();
  }

  @Test
  void behindAnAmrmProxyItDoesNothing() {
    conf.setBoolean("orchestra.prefetch.enabled", true);
    conf.setBoolean("yarn.nodemanager.amrmproxy.enabled", true);
    AppContext context =
        (AppContext)
            Proxy.newProxyInstance(
                AppContext.class.getClassLoader(),
                new Class<?>[] {AppContext.class},
                (proxy, method, arguments) -> {
                  CALLS.add(method.getName());
                  return null;
                });
    agent().init(context);

    assertThat(CALLS).isEmpty();
  }

  @Test
  void itIsNotItsOwnDelegate() {
    conf.set("orchestra.prefetch.am.preemption-policy.delegate", PrefetchAgent.class.getName());

    assertThat(agent().isPreempted(ATTEMPT)).isFalse();
  }

  private AMPreemptionPolicy agent() {
    return ReflectionUtils.newInstance(PrefetchAgent.class, conf);
  }

  /** Says yes, and notes what it was asked. */
  public static final class Noted extends Configured implements AMPreemptionPolicy {
    @Override
    public void setConf(Configuration given) {
      if (given != null) {
        CALLS.add("setConf");
      }
    }

    @Override
    public void init(AppContext context) {
      CALLS.add("init");
    }

    @Override
    public void preempt(Context context, PreemptionMessage requests) {
      CALLS.add("preempt");
    }

    @Override
    public boolean isPreempted(TaskAttemptId attempt) {
      return CALLS.add("isPreempted");
    }

    @Override
    public void reportSuccessfulPreemption(TaskAttemptId attempt) {
      CALLS.add("reportSuccessfulPreemption");
    }

    @Override
    public void handleFailedContainer(TaskAttemptId attempt) {
      CALLS.add("handleFailedContainer");
    }

    @Override
    public void handleCompletedContainer(TaskAttemptId attempt) {
      CALLS.add("handleCompletedContainer");
    }

    @Override
    public TaskCheckpointID getCheckpointID(TaskId task) {
      CALLS.add("getCheckpointID");
      return null;
    }

    @Override
    public void setCheckpointID(TaskId task, TaskCheckpointID checkpoint) {
      CALLS.add("setCheckpointID");
    }
  }
}
