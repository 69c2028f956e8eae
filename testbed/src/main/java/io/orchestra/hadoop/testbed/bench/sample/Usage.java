package io.orchestra.hadoop.testbed.bench.sample;

import io.orchestra.hadoop.testbed.bench.Demands;
import io.orchestra.hadoop.testbed.bench.Links;
import io.orchestra.hadoop.testbed.bench.SampledFigure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * What the processors and the links did during one trial.
 *
 * @param figures those of {@link SampledFigure}, as far as they are known
 * @param linkUtilisation the mean over the trial, by the name of the link
 */
public record Usage(Map<String, Double> figures, Map<String, Double> linkUtilisation) {
  public static final Usage NONE = new Usage(Map.of(), Map.of());

  /** A shorter interval says more about buffers than about links. */
  private static final double SHORTEST_INTERVAL_SECONDS = 0.5;

  public Usage {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    linkUtilisation = Collections.unmodifiableMap(new LinkedHashMap<>(linkUtilisation));
  }

  /** Reduces at least two snapshots, in the order of time. */
  static Usage of(List<Snapshot> snapshots, Optional<Links> links) {
    Snapshot first = snapshots.get(0);
    Snapshot last = snapshots.get(snapshots.size() - 1);
    Map<String, Double> figures = new LinkedHashMap<>();
    long ticks = last.cpu().total() - first.cpu().total();
    if (ticks > 0) {
      figures.put(
          SampledFigure.CPU_IDLE, (last.cpu().idle() - first.cpu().idle()) / (double) ticks);
    }
    if (links.isEmpty() || last.nanoTime() == first.nanoTime()) {
      return new Usage(figures, Map.of());
    }
    Map<String, Double> utilisation = utilisation(first, last, links.get());
    figures.put(SampledFigure.BUSIEST_LINK, Collections.max(utilisation.values()));
    links
        .get()
        .groups()
        .forEach(
            (group, members) ->
                figures.put(
                    SampledFigure.utilisation(group),
                    StatUtils.mean(values(utilisation, members))));
    List<double[]> seconds = seconds(snapshots, links.get());
    variation(seconds).ifPresent(variation -> figures.put(SampledFigure.LINK_VARIATION, variation));
    busy(seconds).ifPresent(part -> figures.put(SampledFigure.SOME_LINK_BUSY, part));
    return new Usage(figures, utilisation);
  }

  private static Map<String, Double> utilisation(Snapshot from, Snapshot to, Links links) {
    Map<String, Double> utilisation = new LinkedHashMap<>();
    links
        .capacities()
        .forEach(
            (link, capacity) ->
                utilisation.put(
                    link, to.bytesSince(from, link) / (capacity * to.secondsSince(from))));
    return utilisation;
  }

  /** The utilisation of each link that exists, from one snapshot to the next. */
  private static List<double[]> seconds(List<Snapshot> snapshots, Links links) {
    List<String> measured =
        links.capacities().keySet().stream()
            .filter(link -> !links.derived().contains(link))
            .toList();
    List<double[]> seconds = new ArrayList<>();
    for (int i = 1; i < snapshots.size(); i++) {
      Snapshot from = snapshots.get(i - 1);
      Snapshot to = snapshots.get(i);
      if (to.secondsSince(from) >= SHORTEST_INTERVAL_SECONDS) {
        seconds.add(values(utilisation(from, to, links), measured));
      }
    }
    return seconds;
  }

  private static Optional<Double> variation(List<double[]> seconds) {
    double[] variations =
        seconds.stream()
            .filter(second -> StatUtils.mean(second) > 0)
            .mapToDouble(
                second -> Math.sqrt(StatUtils.populationVariance(second)) / StatUtils.mean(second))
            .toArray();
    return variations.length == 0
        ? Optional.empty()
        : Optional.of(new Median().evaluate(variations));
  }

  private static Optional<Double> busy(List<double[]> seconds) {
    long busy =
        seconds.stream().filter(second -> StatUtils.max(second) >= Demands.BUSY_LINK).count();
    return seconds.isEmpty() ? Optional.empty() : Optional.of((double) busy / seconds.size());
  }

  private static double[] values(Map<String, Double> utilisation, List<String> links) {
    return links.stream().mapToDouble(utilisation::get).toArray();
  }
}
