package io.orchestra.hadoop.testbed.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How a key is computed from one repetition of one experiment. The key's value is the median over
 * the repetitions.
 */
public sealed interface Formula {
  String experiment();

  /** The figures it is made of. */
  List<ArmFigure> operands();

  /** The value of one repetition, of which the figures are asked. */
  double value(ToDoubleFunction<ArmFigure> repetition);

  /** Whether the values' logarithms spread evenly, as those of ratios do, and not the values. */
  boolean logarithmic();

  /** The formula in words. */
  String text();

  /** One figure by another, both of the same repetition. */
  record PairedRatio(String experiment, ArmFigure numerator, ArmFigure denominator)
      implements Formula {

    /** The same figure of two arms. */
    public static PairedRatio of(String experiment, String figure, String arm, String byArm) {
      return new PairedRatio(experiment, new ArmFigure(arm, figure), new ArmFigure(byArm, figure));
    }

    @Override
    public List<ArmFigure> operands() {
      return List.of(numerator, denominator);
    }

    @Override
    public double value(ToDoubleFunction<ArmFigure> repetition) {
      return repetition.applyAsDouble(numerator) / repetition.applyAsDouble(denominator);
    }

    @Override
    public boolean logarithmic() {
      return true;
    }

    @Override
    public String text() {
      return numerator + " / " + denominator;
    }
  }

  /** One figure less another, both of the same repetition. */
  record PairedDifference(String experiment, ArmFigure minuend, ArmFigure subtrahend)
      implements Formula {
    @Override
    public List<ArmFigure> operands() {
      return List.of(minuend, subtrahend);
    }

    @Override
    public double value(ToDoubleFunction<ArmFigure> repetition) {
      return repetition.applyAsDouble(minuend) - repetition.applyAsDouble(subtrahend);
    }

    @Override
    public boolean logarithmic() {
      return false;
    }

    @Override
    public String text() {
      return minuend + " - " + subtrahend;
    }
  }

  /**
   * How much less a figure of one arm is than that of another, as a part of what could be saved.
   *
   * <p>Not a number where nothing can be saved.
   *
   * @param bound the arm that saves all; empty if nothing would be left of the figure
   */
  record PairedSaving(
      String experiment, String figure, String arm, String of, Optional<String> bound)
      implements Formula {
    @Override
    public List<ArmFigure> operands() {
      return Stream.concat(Stream.of(of, arm), bound.stream())
          .map(name -> new ArmFigure(name, figure))
          .toList();
    }

    @Override
    public double value(ToDoubleFunction<ArmFigure> repetition) {
      double whole = repetition.applyAsDouble(new ArmFigure(of, figure));
      double saved = whole - repetition.applyAsDouble(new ArmFigure(arm, figure));
      double least =
          bound.map(name -> repetition.applyAsDouble(new ArmFigure(name, figure))).orElse(0.0);
      return whole > least ? saved / (whole - least) : Double.NaN;
    }

    @Override
    public boolean logarithmic() {
      return false;
    }

    @Override
    public String text() {
      String least = bound.map(name -> " - " + name).orElse("");
      return "%s: (%s - %s) / (%s%s)".formatted(figure, of, arm, of, least);
    }
  }

  /** A figure of the arm where it is largest. */
  record Largest(String experiment, String figure, List<String> arms) implements Formula {
    public Largest {
      arms = List.copyOf(arms);
    }

    @Override
    public List<ArmFigure> operands() {
      return arms.stream().map(name -> new ArmFigure(name, figure)).toList();
    }

    @Override
    public double value(ToDoubleFunction<ArmFigure> repetition) {
      return operands().stream().mapToDouble(repetition).max().orElseThrow();
    }

    @Override
    public boolean logarithmic() {
      return false;
    }

    @Override
    public String text() {
      return "largest %s of %s".formatted(figure, String.join(", ", arms));
    }
  }

  /** A figure of one arm as it is. */
  record SingleFigure(String experiment, ArmFigure figure) implements Formula {
    @Override
    public List<ArmFigure> operands() {
      return List.of(figure);
    }

    @Override
    public double value(ToDoubleFunction<ArmFigure> repetition) {
      return repetition.applyAsDouble(figure);
    }

    @Override
    public boolean logarithmic() {
      return false;
    }

    @Override
    public String text() {
      return figure.toString();
    }
  }
}
