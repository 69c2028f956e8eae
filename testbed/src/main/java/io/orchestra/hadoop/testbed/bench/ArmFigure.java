package io.orchestra.hadoop.testbed.bench;

/** A figure that an arm measures or that is sampled while it does. */
public record ArmFigure(String arm, String figure) {
  @Override
  public String toString() {
    return figure + " of " + arm;
  }
}
