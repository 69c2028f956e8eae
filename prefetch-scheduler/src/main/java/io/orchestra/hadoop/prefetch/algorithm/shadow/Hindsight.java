package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.EvictingQueue;
import com.google.common.math.Stats;
import com.google.common.math.StatsAccumulator;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Outlooks.Outlook;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Collectors;

/**
 * How good predictions were. Only launches away from the input count: of a local one it does not
 * matter where it was expected. Not safe for concurrent use.
 */
public final class Hindsight {

  /**
   * What has come of predictions so far.
   *
   * @param right launches away from their input that were foretold so on their node when the useful
   *     lead was left
   * @param late of the others those foretold so on their node after that
   * @param missed foretold last on another node, as local, or not at all
   * @param wrong foretold away from their input when the useful lead was left, and launched
   *     elsewhere or local
   * @param moved foretold away from their input for at least half of the useful lead, and then
   *     elsewhere, as local, or not any more: a prefetch would have begun, in vain if that lasts
   * @param sudden of those late or missed, those whose tasks no prediction could know of while the
   *     useful lead was left: they were new, and nobody could have foretold them in time
   */
  public record Score(long right, long late, long missed, long wrong, long moved, long sudden) {

    /** Fraction of launches away from their input that could be prepared for; 0 without any. */
    public double recall() {
      return fraction(right, right + late + missed);
    }

    /**
     * The same without the sudden. While the cluster is saturated there are few: fair sharing may
     * give a new job the next container that ends.
     */
    public double saturatedRecall() {
      return fraction(right, right + late + missed - sudden);
    }

    /** Fraction of what was foretold when the useful lead was left that came so; 0 without any. */
    public double precision() {
      return fraction(right, right + wrong);
    }

    private static double fraction(long part, long whole) {
      return whole == 0 ? 0 : (double) part / whole;
    }
  }

  /**
   * What is expected of a task.
   *
   * @param since nanoseconds from which on it has been expected there without a break
   */
  private record Expectation(String node, long nanos, Locality locality, long since) {
    private boolean isAway() {
      return locality != Locality.NODE_LOCAL;
    }

    /** Whether a prefetch for this one is one for the other. */
    private boolean leadsTo(Expectation later) {
      return later != null && later.isAway() && later.node().equals(node);
    }
  }

  /**
   * A launch, and what was expected last.
   *
   * @param expected node; empty if nothing was
   * @param leadNanos before its launch from which on it was expected there, without a break
   * @param errorNanos by which it came before its time
   * @param sudden whether it counts as that, too
   * @param foretold node on which it was foretold away from its input when the useful lead was
   *     left; empty if it was not
   */
  public record Launch(
      String job,
      String task,
      String node,
      boolean local,
      String expected,
      boolean expectedAway,
      long leadNanos,
      long errorNanos,
      Verdict verdict,
      boolean sudden,
      String foretold) {

    /** Whether it came otherwise than it was foretold. */
    public boolean wrong() {
      return !foretold.isEmpty() && verdict != Verdict.RIGHT;
    }
  }

  /** As what a launch counts, in the words of {@link Score}. */
  public enum Verdict {
    RIGHT,
    LATE,
    MISSED,
    /** Its node has its input: it counts as nothing. */
    LOCAL
  }

  private static final int MOST_LAUNCHES = 200;

  private final long usefulLead;
  private final StatsAccumulator timeErrors = new StatsAccumulator();
  private final StatsAccumulator absoluteTimeErrors = new StatsAccumulator();
  private Map<TaskName, Expectation> expected = new HashMap<>();
  private final RecentLaunches recent = new RecentLaunches();
  private final Queue<Launch> launches = EvictingQueue.create(MOST_LAUNCHES);

  private final Outlooks outlooks;
  private long right;
  private long late;
  private long missed;
  private long wrong;
  private long moved;
  private long sudden;

  /**
   * @param usefulLead nanoseconds before its launch that a task must be foretold
   */
  public Hindsight(long usefulLead) {
    this.usefulLead = usefulLead;
    outlooks = new Outlooks(usefulLead);
  }

  /**
   * Takes the newest predictions in; older ones are void. Those of reduces do not count, nor those
   * of tasks that have been launched meanwhile.
   *
   * @param seenAt nanoseconds when that was seen which they follow from
   * @param toldAt nanoseconds since when they have been known
   */
  public void foretold(List<Prediction> predictions, long seenAt, long toldAt) {
    Map<TaskName, Expectation> next = new HashMap<>();
    for (Prediction prediction : recent.ahead(predictions, seenAt)) {
      if (!prediction.isOfMap()) {
        continue;
      }
      TaskName task = new TaskName(prediction.app(), prediction.task());
      Expectation before = expected.get(task);
      boolean same = before != null && before.node().equals(prediction.node());
      next.put(
          task,
          new Expectation(
              prediction.node(),
              prediction.nanos(),
              prediction.locality(),
              same ? before.since() : seenAt));
    }
    expected.forEach(
        (task, before) -> {
          boolean begun = before.isAway() && seenAt - before.since() >= usefulLead / 2;
          if (begun && !before.leadsTo(next.get(task))) {
            moved++;
          }
        });
    expected = next;
    outlooks.add(new Outlook(seenAt, toldAt, away(next)));
  }

  private static Map<TaskName, String> away(Map<TaskName, Expectation> expected) {
    return expected.entrySet().stream()
        .filter(each -> each.getValue().isAway())
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().node()));
  }

  /**
   * A task was launched.
   *
   * @param local whether its node has its input
   * @param waitingSince nanoseconds since when it had been known to wait
   * @param nanos when
   * @param now nanoseconds when that was told
   * @return as what it counts
   */
  public Launch launched(
      String job,
      String task,
      String node,
      boolean local,
      long waitingSince,
      long nanos,
      long now) {
    recent.launched(job, task, now);
    TaskName name = new TaskName(job, task);
    Expectation expectation = expected.remove(name);
    Optional<Outlook> outlook = outlooks.before(nanos);
    Optional<String> foretold = outlook.flatMap(each -> each.node(name));
    boolean isThere = foretold.equals(Optional.of(node));
    boolean hit = expectation != null && expectation.isAway() && expectation.node().equals(node);
    Verdict verdict =
        local ? Verdict.LOCAL : isThere ? Verdict.RIGHT : hit ? Verdict.LATE : Verdict.MISSED;
    boolean isUnforetold = verdict == Verdict.LATE || verdict == Verdict.MISSED;
    Launch launch =
        launch(
            name,
            node,
            local,
            nanos,
            expectation,
            verdict,
            isUnforetold && isSudden(outlook, waitingSince, nanos),
            foretold);
    launches.add(launch);
    count(launch);
    if (!local && hit) {
      timeErrors.add(expectation.nanos() - nanos);
      absoluteTimeErrors.add(Math.abs(expectation.nanos() - nanos));
    }
    return launch;
  }

  private void count(Launch launch) {
    switch (launch.verdict()) {
      case RIGHT -> right++;
      case LATE -> late++;
      case MISSED -> missed++;
      case LOCAL -> {}
    }
    sudden += launch.sudden() ? 1 : 0;
    wrong += launch.wrong() ? 1 : 0;
  }

  /** Predictions that are made too seldom are no excuse: half of the lead is enough for one. */
  private boolean isSudden(Optional<Outlook> outlook, long waitingSince, long nanos) {
    boolean isKnown = outlook.isPresent() && outlook.get().seenAt() - waitingSince >= 0;
    return !isKnown && nanos - waitingSince < usefulLead * 3 / 2;
  }

  private static Launch launch(
      TaskName task,
      String node,
      boolean local,
      long nanos,
      Expectation expectation,
      Verdict verdict,
      boolean sudden,
      Optional<String> foretold) {
    boolean isExpected = expectation != null;
    return new Launch(
        task.job(),
        task.attempt(),
        node,
        local,
        isExpected ? expectation.node() : "",
        isExpected && expectation.isAway(),
        isExpected ? nanos - expectation.since() : 0,
        isExpected ? expectation.nanos() - nanos : 0,
        verdict,
        sudden,
        foretold.orElse(""));
  }

  /** The last launches, the oldest first. */
  public List<Launch> launches() {
    return List.copyOf(launches);
  }

  public Score score() {
    return new Score(right, late, missed, wrong, moved, sudden);
  }

  /**
   * By how many nanoseconds launches on the right node came earlier than foretold, on average:
   * negative if they came later; 0 without any.
   */
  public double meanTimeError() {
    return mean(timeErrors.snapshot());
  }

  /** The same, whether they came earlier or later. */
  public double meanAbsoluteTimeError() {
    return mean(absoluteTimeErrors.snapshot());
  }

  private static double mean(Stats errors) {
    return errors.count() == 0 ? 0 : errors.mean();
  }
}
