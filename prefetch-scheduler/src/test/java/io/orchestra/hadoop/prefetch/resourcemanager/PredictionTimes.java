package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.function.Consumer;

/**
 * How long predictions of a {@link FullCluster} take, one after the other. Says in a line of each
 * how many nanoseconds the scheduler's lock was held for, how many it took in all, and how many
 * launches it foretold.
 */
public final class PredictionTimes {
  private PredictionTimes() {}

  /**
   * @param arguments queues, applications in each, and maps of each; the threshold of delay
   *     scheduling; seconds in which nothing is said, and seconds after that
   */
  public static void main(String[] arguments) {
    int status = 0;
    try {
      measure(arguments);
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
      status = 1;
    }
    // A ResourceManager that was never started leaves timers behind.
    System.exit(status);
  }

  private static void measure(String[] arguments) {
    try (FullCluster cluster =
        new FullCluster(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Double.parseDouble(arguments[3]))) {
      foretell(cluster, Double.parseDouble(arguments[4]), line -> {});
      foretell(cluster, Double.parseDouble(arguments[5]), System.out::println);
    }
  }

  /** Once, and again until the time is over. */
  private static void foretell(FullCluster cluster, double seconds, Consumer<String> said) {
    long begun = System.nanoTime();
    long now;
    do {
      long start = System.nanoTime();
      AsksAhead asks = cluster.asksAhead();
      long locked = System.nanoTime();
      FairSnapshot snapshot = cluster.snapshot(asks);
      long copied = System.nanoTime();
      int launches = FullCluster.foretold(snapshot).size();
      now = System.nanoTime();
      said.accept("%d %d %d".formatted(copied - locked, now - start, launches));
    } while (now - begun < seconds * 1e9);
  }
}
