package io.orchestra.hadoop.core.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads data rates as {@code tc} writes them: decimal multiples of bits per second. */
final class Rate {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)([kmgt]?)bit");

  private Rate() {}

  /**
   * @param text for example {@code 100mbit}
   * @return bytes per second, at least 1
   */
  static long parse(String text) {
    Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a rate with its unit");
    }
    double multiple =
        switch (matcher.group(2)) {
          case "k" -> 1e3;
          case "m" -> 1e6;
          case "g" -> 1e9;
          case "t" -> 1e12;
          default -> 1;
        };
    double bytesPerSecond = Double.parseDouble(matcher.group(1)) * multiple / 8;
    if (bytesPerSecond < 1 || bytesPerSecond > Long.MAX_VALUE) {
      throw new IllegalArgumentException("less than 8bit or too large");
    }
    return (long) bytesPerSecond;
  }
}
