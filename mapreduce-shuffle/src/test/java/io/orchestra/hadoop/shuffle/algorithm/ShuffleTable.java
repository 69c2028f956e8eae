package io.orchestra.hadoop.shuffle.algorithm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;

/** Prints how long shuffles take under each policy, as multiples of the bound. */
final class ShuffleTable {
  private ShuffleTable() {}

  public static void main(String[] arguments) {
    int seeds = arguments.length == 0 ? 8 : Integer.parseInt(arguments[0]);
    Map<String, FetchPolicy> policies = new LinkedHashMap<>();
    policies.put("paper", FetchPolicy.paper());
    policies.put("all at once", FetchPolicy.allAtOnce());
    policies.put("stock 5", FetchPolicy.stock(5));
    policies.put("stock 10", FetchPolicy.stock(10));
    policies.put("lanes", FetchPolicy.lanes());
    policies.put("lanes, no gate", FetchPolicy.lanes(Gate.ALWAYS));
    policies.put("ranges only", FetchPolicy.lanes(0));
    policies.put("no ranges", FetchPolicy.lanes(LaneLimits.ALL));
    policies.put("F = 5", lanes(5));
    policies.put("F = 20", lanes(20));

    System.out.printf("%-28s", "");
    policies.keySet().forEach(name -> System.out.printf("%15s", name));
    System.out.println();
    cases()
        .forEach(
            (name, shuffles) -> {
              System.out.printf("%-28s", name);
              policies
                  .values()
                  .forEach(
                      policy ->
                          System.out.printf(
                              "%15.3f", ShuffleSimulation.slowdown(shuffles, policy, seeds)));
              System.out.println();
            });
    figure7(seeds);
  }

  private static FetchPolicy lanes(int lanes) {
    LaneLimits usual =
        LaneLimits.of(FetchPolicy.PARALLEL_COPIES, FetchPolicy.UNDIVIDED, FetchPolicy.MEMORY);
    LaneLimits limits =
        new LaneLimits(
            usual.fetchers(),
            lanes,
            usual.outputs(),
            usual.shortest(),
            usual.longest(),
            usual.undivided(),
            usual.memory());
    return FetchPolicy.lanes(limits, Gate.HOT_SENDER, sender -> true);
  }

  private static Map<String, LongFunction<ShuffleCase>> cases() {
    Map<String, LongFunction<ShuffleCase>> cases = new LinkedHashMap<>();
    for (int outputs : new int[] {2, 4, 20}) {
      cases.put("figure 8, " + outputs + " outputs", seed -> ShuffleCase.figure8(outputs));
    }
    cases.put("100 senders", seed -> ShuffleCase.hundredSenders());
    for (int outputs : new int[] {2, 4, 20}) {
      cases.put(
          "5 x 40, 1 hot, " + outputs + " outputs",
          seed -> ShuffleCase.hotSenders(40, 5, 1, outputs, seed));
    }
    cases.put("10 x 40, 2 hot", seed -> ShuffleCase.hotSenders(40, 10, 2, seed));
    cases.put("20 x 20, 2 hot", seed -> ShuffleCase.hotSenders(20, 20, 2, seed));
    cases.put("40 x 40, 4 hot", seed -> ShuffleCase.hotSenders(40, 40, 4, seed));
    for (double sigma : new double[] {0.5, 1, 2}) {
      cases.put("20 x 20, lognormal " + sigma, seed -> ShuffleCase.lognormal(20, 20, sigma, seed));
    }
    cases.put("20 x 20, zipf 0.8", seed -> ShuffleCase.zipf(20, 20, 0.8));
    cases.put("20 x 20, balanced", seed -> ShuffleCase.balanced(20, 20, 4, 20, 64 << 20));
    cases.put("10 x 40, random", seed -> ShuffleCase.random(40, 10, seed));
    cases.put("40 x 10, random", seed -> ShuffleCase.random(10, 40, seed));
    cases.put("10 x 40, 2 hot, waves", seed -> ShuffleCase.hotSenders(40, 10, 2, seed).inWaves(5));
    return cases;
  }

  private static void figure7(int seeds) {
    System.out.println("figure 7: seconds with 1, 10, 30 receivers");
    for (int fetchers : new int[] {1, 2, 3, 5, 10, 15, 20, 30}) {
      System.out.printf("%2d connections", fetchers);
      for (int receivers : new int[] {1, 10, 30}) {
        double slowdown =
            ShuffleSimulation.slowdown(
                seed -> ShuffleCase.figure7(receivers), FetchPolicy.stock(fetchers), seeds);
        System.out.printf("%8.2f", 8 * slowdown);
      }
      System.out.println();
    }
  }
}
