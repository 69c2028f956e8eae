package io.orchestra.hadoop.testbed.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

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
