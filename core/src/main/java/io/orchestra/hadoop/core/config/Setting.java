package io.orchestra.hadoop.core.config;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;

/**
 * One configuration key: what it is called, what it accepts, what it is when absent. The generated
 * reference page and every error message come from here.
 *
 * @param key the full name, {@code orchestra.<module>.<name>}
 * @param defaultText the default as an operator would write it; empty when the setting is derived
 * @param accepts one phrase that says which values are legal
 * @param description a few sentences for the reference page: what it does, then when to change it
 * @param parser turns the operator's text into a value
 */
public record Setting<T>(
    String key, String defaultText, String accepts, String description, Parser<T> parser) {

  /**
   * Turns text into a value; throws {@link IllegalArgumentException} on text it does not accept.
   */
  @FunctionalInterface
  public interface Parser<T> {
    T parse(String text);
  }

  public Setting {
    checkArgument(key.startsWith("orchestra."), "key must start with orchestra.: %s", key);
  }

  public static Setting<Boolean> flag(String key, boolean defaultValue, String description) {
    return new Setting<>(
        key,
        Boolean.toString(defaultValue),
        "`true` or `false`",
        description,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("neither true nor false");
            });
  }

  /** A time with a unit Hadoop parses: {@code 500ms}, {@code 10s}, {@code 2m}. */
  public static Setting<Duration> duration(
      String key, String defaultText, Duration least, Duration most, String description) {
    return new Setting<>(
        key,
        defaultText,
        "a time with its unit (`500ms`, `10s`), from " + inMillis(least) + " to " + inMillis(most),
        description,
        text -> within(Duration.ofMillis(milliseconds(text)), least, most, Setting::inMillis));
  }

  /** A number of bytes with an optional binary prefix: {@code 64m} is 67108864. */
  public static Setting<Long> bytes(String key, String defaultText, String description) {
    return new Setting<>(
        key,
        defaultText,
        "bytes, with an optional binary prefix (`64m`)",
        description,
        text -> within(prefixed(text), 0L, Long.MAX_VALUE, String::valueOf));
  }

  /** A data rate as network people write it, {@code 10gbit}; the value is in bytes per second. */
  public static Setting<Long> rate(String key, String defaultText, String description) {
    return new Setting<>(
        key,
        defaultText,
        "a rate in bits per second (`100mbit`, `10gbit`)",
        description,
        Rate::parse);
  }

  public static Setting<Integer> integer(
      String key, String defaultText, int least, int most, String description) {
    return new Setting<>(
        key,
        defaultText,
        "a whole number from " + least + " to " + most,
        description,
        text -> within(wholeNumber(text), least, most, String::valueOf));
  }

  public static Setting<Double> decimal(
      String key, String defaultText, double least, double most, String description) {
    return new Setting<>(
        key,
        defaultText,
        "a number from " + least + " to " + most,
        description,
        text -> within(number(text), least, most, String::valueOf));
  }

  public static <E extends Enum<E>> Setting<E> choice(
      String key, Class<E> type, String defaultText, String description) {
    String names =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> "`" + nameOf(constant) + "`")
            .collect(Collectors.joining(", "));
    return new Setting<>(
        key,
        defaultText,
        "one of " + names,
        description,
        text ->
            Arrays.stream(type.getEnumConstants())
                .filter(constant -> nameOf(constant).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such choice")));
  }

  public static Setting<String> text(
      String key, String defaultText, String accepts, String description) {
    return new Setting<>(key, defaultText, accepts, description, text -> text);
  }

  private static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String inMillis(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  private static long milliseconds(String text) {
    // Hadoop takes a bare number for the caller's unit; a unit must be written here, so that 1 is
    // never a surprise.
    if (text.chars().allMatch(Character::isDigit)) {
      throw new IllegalArgumentException("the unit is missing");
    }
    try {
      Configuration parser = new Configuration(false);
      return parser.getTimeDurationHelper("duration", text, TimeUnit.MILLISECONDS);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a time", e);
    }
  }

  private static long prefixed(String text) {
    try {
      return StringUtils.TraditionalBinaryPrefix.string2long(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a number of bytes", e);
    }
  }

  private static int wholeNumber(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number", e);
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number", e);
    }
  }

  private static <C extends Comparable<C>> C within(
      C value, C least, C most, Function<C, String> show) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException("less than " + show.apply(least));
    }
    if (value.compareTo(most) > 0) {
      throw new IllegalArgumentException("more than " + show.apply(most));
    }
    return value;
  }
}
