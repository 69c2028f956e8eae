package io.orchestra.hadoop.testbed.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one trial measured. Names carry the unit, such as {@code write time (s)}, and mean the same
 * in all arms; all numbers are finite.
 *
 * @param figures one number each; these are what keys are computed from
 * @param samples many numbers each, at least one; their distribution is plotted
 * @param curves by the title of their plot; there is one for the first repetition of each arm
 * @param counters of the plugins and the harness, for the record
 * @param checks decide whether the figures count
 * @param window the part of the trial in which processors and links are judged; empty for all of it
 */
public record Measurement(
    Map<String, Double> figures,
    Map<String, List<Double>> samples,
    Map<String, List<Curve>> curves,
    Map<String, Long> counters,
    List<Check> checks,
    Optional<Window> window) {

  public Measurement {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    samples = Collections.unmodifiableMap(new LinkedHashMap<>(samples));
    curves = Collections.unmodifiableMap(new LinkedHashMap<>(curves));
    counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
    checks = List.copyOf(checks);
    figures.forEach(Measurement::requireFinite);
    samples.forEach(
        (name, values) -> {
          if (values.isEmpty()) {
            throw new IllegalArgumentException("no samples of " + name);
          }
          values.forEach(value -> requireFinite(name, value));
        });
  }

  private static void requireFinite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " is " + value);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A measurement to which more can be added. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.figures.putAll(figures);
    builder.samples.putAll(samples);
    builder.curves.putAll(curves);
    builder.counters.putAll(counters);
    builder.checks.addAll(checks);
    builder.window = window;
    return builder;
  }

  /** Collects a measurement; everything keeps its order. */
  public static final class Builder {
    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();
    private final Map<String, List<Curve>> curves = new LinkedHashMap<>();
    private final Map<String, Long> counters = new LinkedHashMap<>();
    private final List<Check> checks = new ArrayList<>();
    private Optional<Window> window = Optional.empty();

    private Builder() {}

    public Builder figure(String name, double value) {
      figures.put(name, value);
      return this;
    }

    public Builder samples(String name, List<Double> values) {
      samples.put(name, List.copyOf(values));
      return this;
    }

    public Builder curves(String title, List<Curve> lines) {
      curves.put(title, List.copyOf(lines));
      return this;
    }

    public Builder counter(String name, long value) {
      counters.put(name, value);
      return this;
    }

    public Builder check(String name, boolean passed, String detail) {
      checks.add(new Check(name, passed, detail));
      return this;
    }

    /** What comes before and after it says nothing of what is measured. */
    public Builder within(Window part) {
      window = Optional.of(part);
      return this;
    }

    public Measurement build() {
      return new Measurement(figures, samples, curves, counters, checks, window);
    }
  }
}
