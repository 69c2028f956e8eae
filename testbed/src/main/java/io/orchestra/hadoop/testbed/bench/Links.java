package io.orchestra.hadoop.testbed.bench;

import com.google.common.collect.Sets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The links that may be the bottleneck of an experiment.
 *
 * @param bytes counts what they carry
 * @param capacities in bytes a second, by the name of the link
 * @param derived names of those that are computed from others, and count as the busiest link but
 *     not for the variation between links
 * @param groups names of links, by the name of the group; the mean utilisation of a group is a
 *     figure of its own
 */
public record Links(
    LinkBytes bytes,
    Map<String, Double> capacities,
    Set<String> derived,
    Map<String, List<String>> groups) {

  public Links {
    derived = Set.copyOf(derived);
    capacities = Collections.unmodifiableMap(new LinkedHashMap<>(capacities));
    groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
    if (capacities.isEmpty()) {
      throw new IllegalArgumentException("no links");
    }
    capacities.forEach(
        (link, capacity) -> {
          if (!(capacity > 0) || capacity.isInfinite()) {
            throw new IllegalArgumentException("capacity of " + link + ": " + capacity);
          }
        });
    for (Map.Entry<String, List<String>> group : groups.entrySet()) {
      if (group.getValue().isEmpty() || !capacities.keySet().containsAll(group.getValue())) {
        throw new IllegalArgumentException(
            "group " + group + " must hold some of the links " + capacities.keySet());
      }
    }
  }

  public static Links of(LinkBytes bytes, Map<String, Double> capacities) {
    return new Links(bytes, capacities, Set.of(), Map.of());
  }

  /** The same links, with the mean utilisation of some of them as a figure. */
  public Links withGroup(String group, List<String> links) {
    Map<String, List<String>> more = new LinkedHashMap<>(groups);
    more.put(group, List.copyOf(links));
    return new Links(bytes, capacities, derived, more);
  }

  /** The same links, of which these are computed from others; each is a group of its own. */
  public Links withDerived(String... links) {
    Map<String, List<String>> more = new LinkedHashMap<>(groups);
    Arrays.stream(links).forEach(link -> more.put(link, List.of(link)));
    return new Links(bytes, capacities, Sets.union(derived, Set.of(links)), more);
  }
}
