package io.orchestra.hadoop.prefetch.appmaster;

import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.FinishedMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.MapFactsProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.RunningMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.WaitingMapProto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Looks a job's maps over, and writes a report of what the ResourceManager has not been told yet.
 * Changes nothing of the job. Used by one thread.
 */
final class JobSurvey {
  private static final int MOST_WATCHED = 500;

  /** Of the progress of a map whose job has reduces: the rest is sorting (MapTask). */
  private static final float READING_BEFORE_REDUCES = 0.667f;

  private final MapInputs inputs;
  private final LongSupplier clock;
  private final Map<TaskAttemptId, Long> assignedAt = new HashMap<>();
  private final Set<TaskId> knownFacts = new HashSet<>();
  private final List<TaskId> tellingFacts = new ArrayList<>();
  private final Set<TaskAttemptId> knownFinished = new HashSet<>();
  private final List<TaskAttemptId> tellingFinished = new ArrayList<>();
  private final List<TaskAttempt> waiting = new ArrayList<>();
  private final List<Watched> running = new ArrayList<>();
  private final Map<TaskAttemptId, Reading> readings = new HashMap<>();

  /** Part of a map's progress that is reading. */
  private double readingShare = 1;

  /**
   * An attempt that runs.
   *
   * @param input bytes it will read in all
   */
  private record Watched(TaskAttempt attempt, long input) {}

  /**
   * How far an attempt had got.
   *
   * @param bytes of its input
   * @param at milliseconds when that was noticed
   */
  private record Reading(long bytes, long at) {}

  /**
   * @param clock milliseconds, that of the application master
   */
  JobSurvey(MapInputs inputs, LongSupplier clock) {
    this.inputs = inputs;
    this.clock = clock;
  }

  JobReportProto report(Job job) {
    JobReportProto.Builder report = JobReportProto.newBuilder();
    tellingFacts.clear();
    tellingFinished.clear();
    waiting.clear();
    running.clear();
    readingShare = job.getTotalReduces() > 0 ? READING_BEFORE_REDUCES : 1;
    // JobImpl.getTasks(TaskType) 950 returns them in no order.
    List<Task> maps = new ArrayList<>(job.getTasks(TaskType.MAP).values());
    maps.sort(Comparator.comparing(Task::getID));
    List<WaitingMapProto> retried = new ArrayList<>();
    for (Task task : maps) {
      Collection<TaskAttempt> attempts = task.getAttempts().values();
      boolean failedBefore =
          attempts.stream().anyMatch(attempt -> attempt.getState() == TaskAttemptState.FAILED);
      for (TaskAttempt attempt : attempts) {
        add(task, attempt, failedBefore, report, retried);
      }
    }
    // Containers for these are asked for when those for all first attempts have been.
    retried.sort(Comparator.comparingInt(WaitingMapProto::getAttempt));
    return report.addAllWaiting(retried).build();
  }

  /** The last report has arrived. */
  void arrived() {
    knownFacts.addAll(tellingFacts);
    knownFinished.addAll(tellingFinished);
  }

  /** Nobody knows what the ResourceManager knows: it is told everything. */
  void startAnew() {
    knownFacts.clear();
    knownFinished.clear();
  }

  private void add(
      Task task,
      TaskAttempt attempt,
      boolean failedBefore,
      JobReportProto.Builder report,
      List<WaitingMapProto> retried) {
    switch (attempt.getState()) {
      case STARTING, RUNNING, COMMIT_PENDING -> {
        addFacts(task, attempt, report);
        if (attempt.getAssignedContainerID() != null) {
          Watched watched = new Watched(attempt, inputs.length(task));
          if (running.size() < MOST_WATCHED) {
            running.add(watched);
          }
          report.addRunning(running(watched));
        } else {
          waits(attempt);
          if (attempt.getID().getId() == 0) {
            report.addWaiting(waiting(attempt, failedBefore));
          } else {
            retried.add(waiting(attempt, failedBefore));
          }
        }
      }
      case SUCCEEDED -> {
        forget(attempt);
        if (!knownFinished.contains(attempt.getID()) && attempt.getLaunchTime() > 0) {
          addFacts(task, attempt, report);
          tellingFinished.add(attempt.getID());
          report.addFinished(finished(attempt).setAway(isAway(attempt)));
        }
      }
      default -> forget(attempt);
    }
  }

  private void forget(TaskAttempt attempt) {
    assignedAt.remove(attempt.getID());
    readings.remove(attempt.getID());
  }

  /**
   * Looks how far some of the attempts have got that ran at the last report: the more often, the
   * better it is known when they got there.
   */
  void lookAtReaders() {
    running.forEach(this::reading);
  }

  private Reading reading(Watched watched) {
    long bytes = bytesRead(watched);
    return readings.compute(
        watched.attempt().getID(),
        (id, before) ->
            before == null || bytes > before.bytes()
                ? new Reading(bytes, clock.getAsLong())
                : before);
  }

  private void waits(TaskAttempt attempt) {
    if (waiting.size() < MOST_WATCHED) {
      waiting.add(attempt);
    }
  }

  /** Whether any of them ran at the last report. */
  boolean hasReaders() {
    return !running.isEmpty();
  }

  /** Whether any map waited for a container then. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Whether one of the first maps that waited at the last report has got a container. */
  boolean hasAssignment() {
    return waiting.stream().anyMatch(attempt -> attempt.getAssignedContainerID() != null);
  }

  private void addFacts(Task task, TaskAttempt attempt, JobReportProto.Builder report) {
    boolean first =
        tellingFacts.isEmpty() || !tellingFacts.get(tellingFacts.size() - 1).equals(task.getID());
    if (first && !knownFacts.contains(task.getID())) {
      tellingFacts.add(task.getID());
      MapFactsProto.Builder facts =
          MapFactsProto.newBuilder().setTask(task.getID().getId()).setInput(inputs.length(task));
      inputs.hosts(attempt).stream().limit(AgentProtocol.MOST_PLACES).forEach(facts::addHosts);
      inputs.racks(attempt).stream()
          .limit(AgentProtocol.MOST_PLACES - facts.getHostsCount())
          .forEach(facts::addRacks);
      report.addFacts(facts);
    }
  }

  private static WaitingMapProto waiting(TaskAttempt attempt, boolean failedBefore) {
    return WaitingMapProto.newBuilder()
        .setTask(attempt.getID().getTaskId().getId())
        .setAttempt(attempt.getID().getId())
        .setFailedBefore(failedBefore)
        .build();
  }

  /** Nothing tells when an attempt got its container, but that it had none the last time. */
  private RunningMapProto running(Watched watched) {
    TaskAttempt attempt = watched.attempt();
    long now = clock.getAsLong();
    long assigned = assignedAt.computeIfAbsent(attempt.getID(), unused -> now);
    Reading reading = reading(watched);
    RunningMapProto.Builder told =
        RunningMapProto.newBuilder()
            .setTask(attempt.getID().getTaskId().getId())
            .setAttempt(attempt.getID().getId())
            .setContainer(attempt.getAssignedContainerID().getContainerId())
            .setRead(reading.bytes())
            .setMillisSinceAssigned(Math.max(0, now - assigned))
            .setAway(isAway(attempt));
    if (attempt.getLaunchTime() > 0) {
      told.setMillisSinceLaunched(Math.max(0, now - attempt.getLaunchTime()));
    }
    if (reading.bytes() > 0) {
      told.setMillisSinceRead(Math.max(0, now - reading.at()));
    }
    return told.build();
  }

  /**
   * Of splits that combine files MapReduce counts no bytes (MapTask.NewTrackingRecordReader), and
   * readers of columns leave much of their split out: what tells how far such a map has got is its
   * progress, which its reader may make up.
   */
  private long bytesRead(Watched watched) {
    double share = Math.min(1, watched.attempt().getProgress() / readingShare);
    return Math.max(bytesRead(watched.attempt().getCounters()), (long) (watched.input() * share));
  }

  /** Counters.findCounter would add the counter to the job's, and to those of all new attempts. */
  private static long bytesRead(Counters counters) {
    for (CounterGroup group : counters) {
      if (group.getName().equals(FileInputFormatCounter.class.getName())) {
        for (Counter counter : group) {
          if (counter.getName().equals(FileInputFormatCounter.BYTES_READ.name())) {
            return Math.max(0, counter.getValue());
          }
        }
      }
    }
    return 0;
  }

  private boolean isAway(TaskAttempt attempt) {
    return !inputs.hosts(attempt).contains(attempt.getNodeId().getHost());
  }

  private static FinishedMapProto.Builder finished(TaskAttempt attempt) {
    return FinishedMapProto.newBuilder()
        .setTask(attempt.getID().getTaskId().getId())
        .setAttempt(attempt.getID().getId())
        .setDurationMillis(Math.max(0, attempt.getFinishTime() - attempt.getLaunchTime()));
  }
}
