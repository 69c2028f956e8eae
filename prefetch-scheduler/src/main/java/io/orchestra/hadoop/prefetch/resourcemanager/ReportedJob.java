package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.completion.InputPlace;
import io.orchestra.hadoop.prefetch.algorithm.completion.JobModel;
import io.orchestra.hadoop.prefetch.algorithm.completion.RecentMaps;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowContainer;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.FinishedMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.MapFactsProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.RunningMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.WaitingMapProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * What one application master has said of its job so far. All of its attempts and containers are
 * named after it, whatever it says. Not safe for concurrent use.
 */
final class ReportedJob {
  private static final double TOLERANCE = 0.05;
  private static final double NANOS = 1e9;

  /** Bytes of an entry of a list in memory, names and all. */
  private static final long ENTRY = 200;

  /** Bytes of what is known of a running map's progress. */
  private static final long PROGRESS = 600;

  /** Bytes of what is known of finished maps: of the last ones, whatever their number. */
  private static final long FINISHED = 4000;

  /** Bytes of a place in memory, beside its characters. */
  private static final long PLACE = 60;

  /** A week, in seconds. */
  private static final double LONGEST = 7 * 24 * 3600;

  /**
   * A map that has got a container since the last report.
   *
   * @param waitingSince nanoseconds when it was first told that it waits
   * @param nanos when it got the container
   */
  record Assigned(
      String attempt, ContainerId container, List<String> hosts, long waitingSince, long nanos) {}

  /**
   * What a map with such an input takes, nanoseconds.
   *
   * @param here with its input on its host
   * @param elsewhere without it
   */
  private record Durations(long here, long elsewhere) {}

  private final ApplicationAttemptId master;
  private final JobModel model;
  private final ContainerExits exits = new ContainerExits();
  private final Map<Integer, MapFactsProto> facts = new HashMap<>();
  private long factsSize;

  /** Nanoseconds when those that wait were first told of. */
  private Map<String, Long> waitingSince = Map.of();

  /** Those that wait or run of which this was told while they waited. */
  private final Set<String> failedBefore = new HashSet<>();

  /** Attempts that ran at the last report; null before the first. */
  private Set<String> running;

  /** Attempts that ran at the last report, and had begun to read. */
  private final Set<String> reading = new HashSet<>();

  /** Attempts that run, in containers that lived when that was last looked at. */
  private final Map<String, ContainerId> live = new HashMap<>();

  /**
   * Of attempts that have run and may do so still: one that has finished its map lives on for a
   * while.
   */
  private final Set<ContainerId> containers = new HashSet<>();

  /**
   * @param recent maps of its user's jobs
   */
  ReportedJob(ApplicationAttemptId master, RecentMaps recent) {
    this.master = master;
    model = new JobModel(TOLERANCE, recent);
  }

  /** Bytes that all that is remembered takes in memory after this report, about. */
  long size(JobReportProto report) {
    return FINISHED
        + factsSize
        + growth(report)
        + ENTRY * report.getWaitingCount()
        + (ENTRY + PROGRESS) * report.getRunningCount();
  }

  /** Facts of each map come once in a report ({@link ReportLimits}). */
  private long growth(JobReportProto report) {
    long growth = 0;
    for (MapFactsProto map : report.getFactsList()) {
      MapFactsProto before = facts.get(map.getTask());
      growth += size(map) - (before == null ? 0 : size(before));
    }
    return growth;
  }

  private static long size(MapFactsProto map) {
    long places = (long) map.getHostsCount() + map.getRacksCount();
    return ENTRY + PLACE * places + map.getSerializedSize();
  }

  /**
   * @throws IOException if the report tells of a map of which there are no facts
   */
  void verify(JobReportProto report) throws IOException {
    Set<Integer> told =
        report.getFactsList().stream().map(MapFactsProto::getTask).collect(Collectors.toSet());
    IntStream tasks =
        Stream.of(
                report.getWaitingList().stream().map(WaitingMapProto::getTask),
                report.getRunningList().stream().map(RunningMapProto::getTask),
                report.getFinishedList().stream().map(FinishedMapProto::getTask))
            .flatMap(list -> list)
            .mapToInt(task -> task);
    OptionalInt unknown =
        tasks.filter(task -> !facts.containsKey(task) && !told.contains(task)).findFirst();
    if (unknown.isPresent()) {
      throw new IOException(
          "the map %d, of which there are no facts".formatted(unknown.getAsInt()));
    }
  }

  /** What never changes of maps; comes before all else of a report. */
  void learn(JobReportProto report) {
    factsSize += growth(report);
    report.getFactsList().forEach(map -> facts.put(map.getTask(), map));
  }

  /**
   * Maps that got their containers since the last report, one for each container there is. The
   * first report tells of none: when those that run already got theirs, it does not know.
   *
   * @param now nanoseconds
   */
  List<Assigned> assigned(JobReportProto report, long now, Predicate<ContainerId> isLive) {
    Set<String> before = running;
    running = new HashSet<>();
    for (RunningMapProto map : report.getRunningList()) {
      running.add(attempt(map.getTask(), map.getAttempt()));
    }
    List<Assigned> assigned = new ArrayList<>();
    for (RunningMapProto map : report.getRunningList()) {
      String attempt = attempt(map.getTask(), map.getAttempt());
      ContainerId container = container(map);
      if (!isLive.test(container)) {
        continue;
      }
      live.putIfAbsent(attempt, container);
      if (before != null && !before.contains(attempt) && containers.add(container)) {
        assigned.add(
            new Assigned(
                attempt,
                container,
                facts.get(map.getTask()).getHostsList(),
                waitingSince.getOrDefault(attempt, now),
                now - ReportLimits.nanos(map.getMillisSinceAssigned())));
      }
    }
    return assigned;
  }

  /** Attempts that have begun to read since the last report; after {@link #assigned}. */
  Set<String> takeReading(JobReportProto report) {
    reading.retainAll(running);
    return report.getRunningList().stream()
        .filter(RunningMapProto::hasMillisSinceRead)
        .map(map -> attempt(map.getTask(), map.getAttempt()))
        .filter(reading::add)
        .collect(Collectors.toSet());
  }

  /**
   * Attempts that ran, and did not at the last report, or whose container is gone, whatever that
   * said; told once.
   */
  Set<String> takeEnded(Predicate<ContainerId> isLive) {
    Set<String> ended =
        live.keySet().stream()
            .filter(attempt -> !running.contains(attempt) || !isLive.test(live.get(attempt)))
            .collect(Collectors.toSet());
    live.keySet().removeAll(ended);
    return ended;
  }

  /**
   * @param now nanoseconds
   * @param lastHeartbeat nanoseconds when the application master called the scheduler last
   */
  JobView view(JobReportProto report, long now, long lastHeartbeat, Predicate<ContainerId> isLive) {
    for (FinishedMapProto map : report.getFinishedList()) {
      exits.finished(attempt(map.getTask(), map.getAttempt()), now);
      model.finished(
          map.getTask(),
          attempt(map.getTask(), map.getAttempt()),
          place(map.getAway()),
          facts.get(map.getTask()).getInput(),
          ReportLimits.nanos(map.getDurationMillis()) / NANOS);
    }
    model.retain(running);
    exits.look(running, isLive, now);
    // Most maps have inputs of the same size.
    Map<Long, Durations> durations = new HashMap<>();
    List<ShadowTask> served = new ArrayList<>();
    Map<ContainerId, Long> ends = exits.ends(now);
    for (RunningMapProto map : report.getRunningList()) {
      if (now - ReportLimits.nanos(map.getMillisSinceAssigned()) >= lastHeartbeat) {
        served.add(task(map.getTask(), map.getAttempt(), durations));
      }
      containers.add(container(map));
      exits.running(attempt(map.getTask(), map.getAttempt()), container(map));
      Optional<Long> end = end(map, now);
      if (end.isPresent()) {
        ends.put(container(map), end.get() + exits.delay());
      }
    }
    List<ShadowTask> waiting = new ArrayList<>();
    Map<String, Long> since = new HashMap<>();
    for (WaitingMapProto map : report.getWaitingList()) {
      if (map.getFailedBefore()) {
        failedBefore.add(attempt(map.getTask(), map.getAttempt()));
      }
      ShadowTask task = task(map.getTask(), map.getAttempt(), durations);
      waiting.add(task);
      since.put(task.id(), waitingSince.getOrDefault(task.id(), now));
    }
    waitingSince = since;
    failedBefore.removeIf(
        attempt -> !running.contains(attempt) && !waitingSince.containsKey(attempt));
    containers.removeIf(container -> !isLive.test(container));
    return new JobView(waiting, served, containers, ends);
  }

  /** Whether its maps are over, and their containers: until one fails there is nothing to tell. */
  boolean isOver(JobReportProto report) {
    return !facts.isEmpty()
        && report.getWaitingCount() == 0
        && report.getRunningCount() == 0
        && containers.isEmpty();
  }

  private String attempt(int task, int attempt) {
    return MapNames.attempt(master.getApplicationId(), task, attempt);
  }

  private ContainerId container(RunningMapProto map) {
    return ContainerId.newContainerId(master, map.getContainer());
  }

  private ShadowTask task(int task, int attempt, Map<Long, Durations> known) {
    MapFactsProto map = facts.get(task);
    String id = attempt(task, attempt);
    Durations durations = known.computeIfAbsent(map.getInput(), this::durations);
    return new ShadowTask(
        id,
        failedBefore.contains(id) ? ShadowTask.FAILED_MAP : ShadowTask.MAP,
        map.getHostsList(),
        map.getRacksList(),
        durations.here(),
        durations.elsewhere());
  }

  private Durations durations(long input) {
    return new Durations(
        nanos(model.seconds(InputPlace.HERE, input)),
        nanos(model.seconds(InputPlace.ELSEWHERE, input)));
  }

  private static InputPlace place(boolean away) {
    return away ? InputPlace.ELSEWHERE : InputPlace.HERE;
  }

  private Optional<Long> end(RunningMapProto map, long now) {
    long input = facts.get(map.getTask()).getInput();
    long sinceLaunch = ReportLimits.nanos(map.getMillisSinceLaunched());
    long readAt = Math.max(0, sinceLaunch - ReportLimits.nanos(map.getMillisSinceRead()));
    OptionalDouble seconds =
        map.hasMillisSinceLaunched()
            ? model.observe(
                attempt(map.getTask(), map.getAttempt()),
                place(map.getAway()),
                input,
                map.getRead(),
                readAt / NANOS,
                sinceLaunch / NANOS)
            : model.seconds(place(map.getAway()), input);
    return seconds.isPresent()
        ? Optional.of(now - sinceLaunch + nanos(seconds.getAsDouble()))
        : Optional.empty();
  }

  private static long nanos(OptionalDouble seconds) {
    return seconds.isPresent() ? nanos(seconds.getAsDouble()) : ShadowContainer.NEVER;
  }

  private static long nanos(double seconds) {
    return (long) (Math.min(seconds, LONGEST) * NANOS);
  }
}
