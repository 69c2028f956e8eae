package io.orchestra.hadoop.testbed.bench;

/**
 * One way of doing what an experiment compares, such as stock Hadoop.
 *
 * <p>Preparation, inspection and cleanup surround each measurement and are neither timed nor
 * sampled.
 *
 * @param name as reports show it
 * @param preparation comes before each measurement
 * @param work the measurement
 * @param inspection follows each measurement that succeeded
 * @param cleanup comes last, also after a failure of one of those
 * @param demands what must be seen while it runs
 * @param mostRepetitions after as many it is not measured any more
 */
public record Arm(
    String name,
    Step preparation,
    Work work,
    Inspection inspection,
    Step cleanup,
    Demands demands,
    int mostRepetitions) {

  /** Something done for a trial without measuring. */
  @FunctionalInterface
  public interface Step {
    void run(Trial trial) throws Exception;
  }

  /** What is measured. */
  @FunctionalInterface
  public interface Work {
    Measurement measure(Trial trial) throws Exception;
  }

  /** Looks up afterwards what it would disturb the measurement to ask for. */
  @FunctionalInterface
  public interface Inspection {
    /**
     * @param measurement what was measured; gets checks, counters and figures
     */
    void inspect(Trial trial, Measurement.Builder measurement) throws Exception;
  }

  /** An arm that must keep a link busy and leave the processors some time. */
  public static Arm of(String name, Work work) {
    return new Arm(
        name,
        trial -> {},
        work,
        (trial, measurement) -> {},
        trial -> {},
        Demands.ALL,
        Integer.MAX_VALUE);
  }

  public Arm preparedBy(Step step) {
    return new Arm(name, step, work, inspection, cleanup, demands, mostRepetitions);
  }

  public Arm inspectedBy(Inspection step) {
    return new Arm(name, preparation, work, step, cleanup, demands, mostRepetitions);
  }

  public Arm cleanedUpBy(Step step) {
    return new Arm(name, preparation, work, inspection, step, demands, mostRepetitions);
  }

  /** The same arm, whose links need not be busy, and why not. */
  public Arm withoutBusyLink(String why) {
    return with(demands.withoutBusyLink(why));
  }

  /** The same arm, which may take all of the processors' time, and why. */
  public Arm withoutIdleCpu(String why) {
    return with(demands.withoutIdleCpu(why));
  }

  private Arm with(Demands other) {
    return new Arm(name, preparation, work, inspection, cleanup, other, mostRepetitions);
  }

  /** The same arm, of which no key is computed, so that a few repetitions are enough. */
  public Arm upTo(int repetitions) {
    return new Arm(name, preparation, work, inspection, cleanup, demands, repetitions);
  }
}
