package io.orchestra.hadoop.testbed.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as people and programs read them. */
public final class Numbers {
  private static final MathContext DIGITS = new MathContext(4);
  private static final int DECIMALS = 4;

  private Numbers() {}

  /** Four digits, or all of those before the point. */
  public static String text(double value) {
    BigDecimal exact = BigDecimal.valueOf(value);
    BigDecimal rounded =
        Math.abs(value) >= 1000 ? exact.setScale(0, RoundingMode.HALF_UP) : exact.round(DIGITS);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** At most four decimals. */
  static double rounded(double value) {
    return BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP).doubleValue();
  }
}
