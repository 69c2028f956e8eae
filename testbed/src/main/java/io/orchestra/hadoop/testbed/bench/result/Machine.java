package io.orchestra.hadoop.testbed.bench.result;

import io.orchestra.hadoop.testbed.network.Wiring;

/**
 * What figures depend on beside the benchmark.
 *
 * @param processors how many
 * @param congestionControl of TCP, such as {@code reno}, on emulated hosts
 * @param java the version of Java, to which an archive of classes belongs
 */
public record Machine(int processors, String congestionControl, String java) {
  public static Machine ofThisProcess() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        Wiring.CONGESTION_CONTROL,
        Runtime.version().toString());
  }
}
