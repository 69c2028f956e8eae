package io.orchestra.hadoop.prefetch.resourcemanager;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.Waiting;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Launch;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation.Foresight;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What the coordinator knows and has decided, for the servlet. Tokens are not in it.
 *
 * @param millisAgo when launches were foretold
 * @param launches foretold
 * @param flows blocks on their way
 * @param waiting how many blocks wait for what
 * @param decisions the last ones, the oldest first
 * @param outcomes how often a need came to what, each time it was looked at
 * @param confirmedOutcomes the same of needs of maps that had their containers already
 * @param predictions how good they were so far
 * @param doubtfulUsers whose launches were mostly foretold wrongly of late, so that nothing begins
 *     for those that are
 * @param lastLaunches of maps, the oldest first
 * @param locality where launched maps found their input
 * @param localityByJob the same for each job of late
 */
record PrefetchReport(
    long millisAgo,
    List<LaunchReport> launches,
    List<FlowReport> flows,
    Map<Waiting, Long> waiting,
    List<DecisionReport> decisions,
    Map<Outcome, Long> outcomes,
    Map<Outcome, Long> confirmedOutcomes,
    Hindsight.Score predictions,
    Set<String> doubtfulUsers,
    List<PastLaunchReport> lastLaunches,
    Score locality,
    Map<String, Score> localityByJob,
    List<DaemonReport> daemons) {

  /** Where a report comes from. */
  record Sources(Speculation speculation, Prefetching prefetching, Daemons daemons) {
    PrefetchReport report() {
      return of(this);
    }
  }

  /** A launch that is foretold. */
  record LaunchReport(String task, String host, String locality, long inMillis) {}

  /**
   * A map that was launched, and where it was expected last; empty if nowhere.
   *
   * @param leadMillis for which it had been expected there
   * @param earlyMillis by which it came before its time
   * @param verdict as what it counts among {@code predictions}
   * @param sudden the same
   * @param wrong the same
   */
  record PastLaunchReport(
      String task,
      String host,
      boolean local,
      String expected,
      boolean expectedAway,
      long leadMillis,
      long earlyMillis,
      Hindsight.Verdict verdict,
      boolean sudden,
      boolean wrong) {}

  /**
   * A block on its way.
   *
   * @param rate that its daemon was told, bytes per second; null, and not in the JSON, where it is
   *     told none
   * @param guaranteed what it is allotted at least, bytes per second, which devices keep free for
   *     it if they are told to; 0 if its task reads it
   * @param bytes that have come
   * @param reading whether its task reads it already, so that it goes as fast as it can
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record FlowReport(
      long id,
      String job,
      String from,
      String to,
      Long rate,
      long guaranteed,
      long bytes,
      boolean reading) {

    /**
     * @param isPaced whether its daemon was told the rate
     */
    static FlowReport of(PrefetchPlanner.Progress flow, boolean isPaced) {
      return new FlowReport(
          flow.flow().id(),
          flow.flow().job(),
          flow.flow().source(),
          flow.flow().target(),
          isPaced ? flow.rate() : null,
          flow.guaranteed(),
          flow.bytes(),
          flow.reading());
    }
  }

  /**
   * A block that a task needs, and what came of it.
   *
   * @param reason where from, which link has no room, or for whom; may be empty
   */
  record DecisionReport(String task, String block, String host, Outcome outcome, String reason) {}

  /**
   * A DataNode that brings blocks.
   *
   * @param sent bytes per second of everything
   * @param received the same
   */
  record DaemonReport(String host, String rack, long sent, long received) {}

  private static PrefetchReport of(Sources sources) {
    Foresight foresight = sources.speculation().foresight();
    Prefetching prefetching = sources.prefetching();
    long now = System.nanoTime();
    return new PrefetchReport(
        TimeUnit.NANOSECONDS.toMillis(now - foresight.takenAt()),
        foresight.predictions().stream().map(launch -> of(launch, now)).toList(),
        prefetching.flows().stream()
            .map(flow -> FlowReport.of(flow, prefetching.isPacing()))
            .toList(),
        prefetching.waitingFor(),
        prefetching.decisions().stream().map(PrefetchReport::of).toList(),
        prefetching.outcomes(),
        prefetching.confirmedOutcomes(),
        sources.speculation().score(),
        prefetching.doubtful(),
        sources.speculation().launches().stream().map(PrefetchReport::of).toList(),
        prefetching.score(),
        prefetching.scores(),
        sources.daemons().all().stream()
            .sorted(Comparator.comparing(Daemon::host))
            .map(daemon -> of(daemon, sources.daemons().load(daemon.host())))
            .toList());
  }

  private static LaunchReport of(Prediction launch, long now) {
    return new LaunchReport(
        launch.task(),
        launch.node(),
        launch.locality().name(),
        TimeUnit.NANOSECONDS.toMillis(launch.nanos() - now));
  }

  private static PastLaunchReport of(Launch launch) {
    return new PastLaunchReport(
        launch.task(),
        launch.node(),
        launch.local(),
        launch.expected(),
        launch.expectedAway(),
        TimeUnit.NANOSECONDS.toMillis(launch.leadNanos()),
        TimeUnit.NANOSECONDS.toMillis(launch.errorNanos()),
        launch.verdict(),
        launch.sudden(),
        launch.wrong());
  }

  private static DecisionReport of(Decision decision) {
    return new DecisionReport(
        decision.need().task(),
        decision.need().block(),
        decision.need().target(),
        decision.outcome(),
        decision.reason());
  }

  private static DaemonReport of(Daemon daemon, Daemons.Load load) {
    return new DaemonReport(daemon.host(), daemon.rack(), load.sent(), load.received());
  }
}
