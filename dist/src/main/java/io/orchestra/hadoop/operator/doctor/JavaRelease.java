package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a JDK or JRE says of itself in its file {@code release}. */
final class JavaRelease {
  /** Java 8 calls itself 1.8. */
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d{1,4})\\b.*");

  private JavaRelease() {}

  /** The version's first number; 0 if there is none. */
  static int version(Path home) {
    try (Stream<String> lines = Files.lines(home.resolve("release"))) {
      return lines
          .map(VERSION::matcher)
          .filter(Matcher::matches)
          .mapToInt(line -> Integer.parseInt(line.group(1)))
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      // It is not on this host, or says nothing.
      return 0;
    }
  }
}
