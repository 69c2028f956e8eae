package io.orchestra.hadoop.testbed.bench;

/**
 * One way of doing what an experiment compares, such as stock Hadoop.
 *
 * <p>Preparing and cleaning up surround each measurement and are neither timed nor sampled.
 *
 * @param name as reports show it
 * @param preparation comes before each measurement
 * @param work the measurement
 * @param cleanup follows each measurement, also one that failed, and a failed preparation
 * @param demands what must be seen while it runs
 */
public record Arm(String name, Step preparation, Work work, Step cleanup, Demands demands) {

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

  /** An arm that must keep a link busy and leave the processors some time. */
  public static Arm of(String name, Work work) {
    return new Arm(name, trial -> {}, work, trial -> {}, Demands.ALL);
  }

  public Arm preparedBy(Step step) {
    return new Arm(name, step, work, cleanup, demands);
  }

  public Arm cleanedUpBy(Step step) {
    return new Arm(name, preparation, work, step, demands);
  }

  /** The same arm, whose links need not be busy, and why not. */
  public Arm withoutBusyLink(String why) {
    return new Arm(name, preparation, work, cleanup, demands.withoutBusyLink(why));
  }

  /** The same arm, which may take all of the processors' time, and why. */
  public Arm withoutIdleCpu(String why) {
    return new Arm(name, preparation, work, cleanup, demands.withoutIdleCpu(why));
  }
}
