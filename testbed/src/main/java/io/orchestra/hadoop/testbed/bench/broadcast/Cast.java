package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Draw;
import io.orchestra.hadoop.testbed.network.Host;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Who has files before, and who wants them. Nobody is both: a cluster is larger than a job, and
 * replicas are where the submitter's cluster put them.
 *
 * @param receivers spread evenly over racks
 * @param replicas the hosts that have the first file, those that have the second, and so on
 */
record Cast(List<String> receivers, List<List<String>> replicas) {

  Cast {
    receivers = List.copyOf(receivers);
    replicas = List.copyOf(replicas);
  }

  /**
   * Draws both from a seed. The receivers do not depend on the number of replicas, nor the first
   * file's replicas on the number of files. The first replica is in one rack, two are in another,
   * as HDFS does it, and more are spread evenly.
   */
  static Cast draw(long seed, Collection<Host> hosts, int receivers, int replicas, int files) {
    Random random = new Draw(seed, "receivers and replicas").random();
    List<List<String>> racks = shuffled(hosts, random);
    List<String> wanting = new ArrayList<>();
    for (int number = 0; wanting.size() < receivers; number++) {
      wanting.add(takeFrom(racks.get(number % racks.size()), receivers, replicas));
    }
    List<List<String>> holders = new ArrayList<>();
    holders.add(holders(racks, receivers, replicas));
    List<Host> others = hosts.stream().filter(host -> !wanting.contains(host.name())).toList();
    while (holders.size() < files) {
      holders.add(holders(shuffled(others, random), receivers, replicas));
    }
    return new Cast(wanting, holders);
  }

  /** All that have any of the files, each once. */
  List<String> holders() {
    return replicas.stream().flatMap(List::stream).distinct().toList();
  }

  private static List<List<String>> shuffled(Collection<Host> hosts, Random random) {
    Map<String, List<String>> racks = new LinkedHashMap<>();
    hosts.forEach(
        host -> racks.computeIfAbsent(host.place(), rack -> new ArrayList<>()).add(host.name()));
    List<List<String>> shuffled = new ArrayList<>(racks.values());
    shuffled.forEach(rack -> Collections.shuffle(rack, random));
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private static List<String> holders(List<List<String>> racks, int receivers, int replicas) {
    Map<List<String>, Integer> taken = new IdentityHashMap<>();
    List<String> holders = new ArrayList<>();
    while (holders.size() < replicas) {
      int number = holders.size();
      List<String> rack =
          number < 3 && racks.size() > 1
              ? racks.get(Math.min(number, 1))
              : racks.stream()
                  .filter(hosts -> !hosts.isEmpty())
                  .min(Comparator.comparingInt(hosts -> taken.getOrDefault(hosts, 0)))
                  .orElse(List.of());
      holders.add(takeFrom(rack, receivers, replicas));
      taken.merge(rack, 1, Integer::sum);
    }
    return holders;
  }

  private static String takeFrom(List<String> rack, int receivers, int replicas) {
    if (rack.isEmpty()) {
      throw new IllegalArgumentException(
          "too few hosts for %d receivers and %d replicas".formatted(receivers, replicas));
    }
    return rack.remove(rack.size() - 1);
  }
}
