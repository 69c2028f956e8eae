package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.EvictingQueue;
import com.google.common.math.Stats;
import com.google.common.math.StatsAccumulator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * How good predictions were. Only launches away from the input count: of a local one it does not
 * matter where it was expected. Not safe for concurrent use.
 */
public final class Hindsight {

  /**
   * What has come of predictions so far.
   *
   * @param right launches away from their input that were foretold in time, on the right node
   * @param late of these foretold on the right node, but with less lead than is of use
   * @param missed foretold on another node, as local, or not at all
   * @param wrong foretold away from their input, and launched elsewhere or local
   * @param moved foretold away from their input for at least half of the useful lead, and then
   *     elsewhere, as local, or not any more: a prefetch would have begun in vain
   * @param sudden of those late or missed, those whose tasks had not waited for as long as the
   *     useful lead: a slot was free, and nobody could have foretold them in time
   */
  public record Score(long right, long late, long missed, long wrong, long moved, long sudden) {

    /** Fraction of launches away from their input that could be prepared for; 0 without any. */
    public double recall() {
      return fraction(right, right + late + missed);
    }

    /** The same of tasks that had to wait, as all do while the cluster is saturated. */
    public double saturatedRecall() {
      return fraction(right, right + late + missed - sudden);
    }

    /** Fraction of prefetches that would have been of use; 0 without any. */
    public double precision() {
      return fraction(right + late, right + late + wrong + moved);
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

  private record Task(String job, String attempt) {}

  /**
   * A launch, and what was expected last.
   *
   * @param expected node; empty if nothing was
   * @param leadNanos before its launch from which on it was expected there, without a break
   * @param errorNanos by which it came before its time
   */
  public record Launch(
      String job,
      String task,
      String node,
      boolean local,
      String expected,
      boolean expectedAway,
      long leadNanos,
      long errorNanos) {}

  private static final int MOST_LAUNCHES = 200;

  private final long usefulLead;
  private final StatsAccumulator timeErrors = new StatsAccumulator();
  private final StatsAccumulator absoluteTimeErrors = new StatsAccumulator();
  private Map<Task, Expectation> expected = new HashMap<>();
  private final RecentLaunches recent = new RecentLaunches();
  private final Queue<Launch> launches = EvictingQueue.create(MOST_LAUNCHES);
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
  }

  /**
   * Takes the newest predictions in; older ones are void. Those of reduces do not count, nor those
   * of tasks that have been launched meanwhile.
   *
   * @param now nanoseconds when that was seen which they follow from
   */
  public void foretold(List<Prediction> predictions, long now) {
    Map<Task, Expectation> next = new HashMap<>();
    for (Prediction prediction : recent.ahead(predictions, now)) {
      if (!prediction.isOfMap()) {
        continue;
      }
      Task task = new Task(prediction.app(), prediction.task());
      Expectation before = expected.get(task);
      boolean same = before != null && before.node().equals(prediction.node());
      next.put(
          task,
          new Expectation(
              prediction.node(),
              prediction.nanos(),
              prediction.locality(),
              same ? before.since() : now));
    }
    expected.forEach(
        (task, before) -> {
          boolean begun = before.isAway() && now - before.since() >= usefulLead / 2;
          if (begun && !before.leadsTo(next.get(task))) {
            moved++;
          }
        });
    expected = next;
  }

  /**
   * A task was launched.
   *
   * @param local whether its node has its input
   * @param waitingSince nanoseconds since when it had been known to wait
   * @param nanos when
   * @param now nanoseconds when that was told
   */
  public void launched(
      String job,
      String task,
      String node,
      boolean local,
      long waitingSince,
      long nanos,
      long now) {
    recent.launched(job, task, now);
    Expectation expectation = expected.remove(new Task(job, task));
    launches.add(launch(job, task, node, local, nanos, expectation));
    boolean prepared = expectation != null && expectation.isAway();
    boolean hit = prepared && expectation.node().equals(node);
    if (prepared && (local || !hit)) {
      wrong++;
    }
    if (local) {
      return;
    }
    if (hit && nanos - expectation.since() >= usefulLead) {
      right++;
    } else {
      if (hit) {
        late++;
      } else {
        missed++;
      }
      if (nanos - waitingSince < usefulLead) {
        sudden++;
      }
    }
    if (hit) {
      timeErrors.add(expectation.nanos() - nanos);
      absoluteTimeErrors.add(Math.abs(expectation.nanos() - nanos));
    }
  }

  private static Launch launch(
      String job, String task, String node, boolean local, long nanos, Expectation expectation) {
    return expectation == null
        ? new Launch(job, task, node, local, "", false, 0, 0)
        : new Launch(
            job,
            task,
            node,
            local,
            expectation.node(),
            expectation.isAway(),
            nanos - expectation.since(),
            expectation.nanos() - nanos);
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
