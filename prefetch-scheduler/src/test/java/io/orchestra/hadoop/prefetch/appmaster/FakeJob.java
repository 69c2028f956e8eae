package io.orchestra.hadoop.prefetch.appmaster;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;

/** A job whose maps are in the states a test says. Each has 1000 bytes of input. */
final class FakeJob {
  private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);
  private static final JobId JOB = MRBuilderUtils.newJobId(APPLICATION, 1);

  private final LinkedHashMap<TaskId, Task> tasks = new LinkedHashMap<>();
  private final Map<TaskAttempt, FakeMap> maps = new HashMap<>();
  private final Map<String, Supplier<Object>> answers = new HashMap<>();

  /** A map; changes concern its last attempt. */
  final class FakeMap {
    private final TaskId id;
    private final Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
    private Set<String> hosts = Set.of("host");
    private Set<String> racks = Set.of("/rack");
    private String runsOn = "host";
    private Map<String, Supplier<Object>> last;

    private FakeMap(int number) {
      id = MRBuilderUtils.newTaskId(JOB, number, TaskType.MAP);
      tasks.put(
          id, answering(Task.class, Map.of("getID", () -> id, "getAttempts", () -> attempts)));
    }

    FakeMap attempt(TaskAttemptState state) {
      TaskAttemptId attempt = MRBuilderUtils.newTaskAttemptId(id, attempts.size());
      last = new HashMap<>();
      last.put("getID", () -> attempt);
      last.put("getState", () -> state);
      last.put("getNodeId", () -> NodeId.newInstance(runsOn, 1));
      TaskAttempt fake = answering(TaskAttempt.class, last);
      attempts.put(attempt, fake);
      maps.put(fake, this);
      return read(0);
    }

    FakeMap at(String host, String rack) {
      return at(Set.of(host), Set.of(rack));
    }

    FakeMap at(Set<String> newHosts, Set<String> newRacks) {
      hosts = newHosts;
      racks = newRacks;
      return this;
    }

    FakeMap runsOn(String node) {
      runsOn = node;
      return this;
    }

    FakeMap in(int container) {
      ContainerId id =
          ContainerId.newContainerId(ApplicationAttemptId.newInstance(APPLICATION, 1), container);
      last.put("getAssignedContainerID", () -> id);
      return this;
    }

    FakeMap read(long bytes) {
      Counters counters = new Counters();
      counters.findCounter(FileInputFormatCounter.BYTES_READ).setValue(bytes);
      return counting(counters);
    }

    FakeMap counting(Counters counters) {
      last.put("getCounters", () -> counters);
      return this;
    }

    FakeMap progress(float progress) {
      last.put("getProgress", () -> progress);
      return this;
    }

    FakeMap launched(long millis) {
      last.put("getLaunchTime", () -> millis);
      return this;
    }

    FakeMap finished(long millis) {
      last.put("getFinishTime", () -> millis);
      return this;
    }
  }

  FakeMap map(int number, TaskAttemptState state) {
    return new FakeMap(number).attempt(state);
  }

  void uber() {
    answers.put("isUber", () -> true);
  }

  void ended(JobState state) {
    answers.put("getState", () -> state);
  }

  void maps(int total) {
    answers.put("getTotalMaps", () -> total);
  }

  void reduces(int total) {
    answers.put("getTotalReduces", () -> total);
  }

  /** Its tasks come in another order than theirs, as in JobImpl. */
  Job job() {
    answers.putIfAbsent("isUber", () -> false);
    answers.put("getID", () -> JOB);
    answers.put("getTasks", this::backwards);
    return answering(Job.class, answers);
  }

  private Map<TaskId, Task> backwards() {
    List<TaskId> order = new ArrayList<>(tasks.keySet());
    Collections.reverse(order);
    Map<TaskId, Task> backwards = new LinkedHashMap<>();
    order.forEach(id -> backwards.put(id, tasks.get(id)));
    return backwards;
  }

  MapInputs inputs() {
    return new MapInputs() {
      @Override
      public Set<String> hosts(TaskAttempt attempt) {
        return maps.get(attempt).hosts;
      }

      @Override
      public Set<String> racks(TaskAttempt attempt) {
        return maps.get(attempt).racks;
      }

      @Override
      public long length(Task task) {
        return 1000;
      }
    };
  }

  private static <T> T answering(Class<T> type, Map<String, Supplier<Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  case "getTask" -> ((Map<?, ?>) answers.get("getTasks").get()).get(arguments[0]);
                  default -> answers.getOrDefault(method.getName(), () -> nothing(method)).get();
                }));
  }

  private static Object nothing(Method method) {
    Class<?> type = method.getReturnType();
    if (type == long.class) {
      return 0L;
    }
    if (type == float.class) {
      return 0f;
    }
    return type.isPrimitive() && type != void.class ? 0 : null;
  }
}
