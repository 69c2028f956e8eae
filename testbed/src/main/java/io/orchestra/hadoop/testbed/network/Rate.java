package io.orchestra.hadoop.testbed.network;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orchestra.hadoop.testbed.TestbedException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many bits a link carries in a second, in each direction; zero means that it is not limited.
 */
public record Rate(long bitsPerSecond) {
  public static final Rate UNLIMITED = new Rate(0);

  /** Below this a full-sized packet takes longer than a second, and HTB loses its grip. */
  private static final long SMALLEST = 16_000;

  /** HTB counts in bytes a second in 64 bits, and veth pairs do not go faster than this. */
  private static final long LARGEST = 100_000_000_000L;

  private static final long SMALLEST_QUEUE = 4 * 64 * 1024;

  private static final Pattern TEXT = Pattern.compile("(\\d+(?:\\.\\d+)?)(k|m|g)?bit");
  private static final Map<String, Long> UNITS =
      Map.of("k", 1_000L, "m", 1_000_000L, "g", 1_000_000_000L);

  /**
   * Parses tc's notation: {@code 800kbit}, {@code 100mbit}, {@code 2.5gbit}, or {@code unlimited}.
   */
  @JsonCreator
  public static Rate parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.equals("unlimited")) {
      return UNLIMITED;
    }
    Matcher matcher = TEXT.matcher(lower);
    if (!matcher.matches()) {
      throw new TestbedException(
          "'" + text + "' is not a rate: write 800kbit, 100mbit, 2.5gbit or unlimited");
    }
    long unit = matcher.group(2) == null ? 1 : UNITS.get(matcher.group(2));
    BigDecimal bits = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (bits.compareTo(BigDecimal.valueOf(SMALLEST)) < 0
        || bits.compareTo(BigDecimal.valueOf(LARGEST)) > 0) {
      throw new TestbedException("'" + text + "' is out of range: a link has 16kbit to 100gbit");
    }
    return new Rate(bits.longValue());
  }

  public boolean limited() {
    return bitsPerSecond > 0;
  }

  public double bytesPerSecond() {
    return (double) bitsPerSecond / Byte.SIZE;
  }

  /**
   * How much waits in front of a link of this rate before packets are dropped: 200 ms, and never
   * less than four of the 64 kB that a packet has before the kernel cuts it to frames.
   */
  public long queueBytes() {
    return Math.max(SMALLEST_QUEUE, bitsPerSecond / Byte.SIZE / 5);
  }

  @JsonValue
  @Override
  public String toString() {
    if (!limited()) {
      return "unlimited";
    }
    for (String prefix : new String[] {"g", "m", "k"}) {
      long unit = UNITS.get(prefix);
      if (bitsPerSecond % unit == 0) {
        return bitsPerSecond / unit + prefix + "bit";
      }
    }
    return bitsPerSecond + "bit";
  }
}
