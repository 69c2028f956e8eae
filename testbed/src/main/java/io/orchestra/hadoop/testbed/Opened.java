package io.orchestra.hadoop.testbed;

import java.util.function.Consumer;
import java.util.function.Function;

/** What has just been opened, and must not stay open if what follows fails. */
public final class Opened {
  private Opened() {}

  /**
   * Goes on with what was opened and returns what comes of that. If it fails, what was opened is
   * closed; a failure of that is added to the first one, and does not take its place.
   */
  public static <C extends AutoCloseable, T> T then(C opened, Function<C, T> rest) {
    try {
      return rest.apply(opened);
    } catch (RuntimeException | Error failure) {
      try {
        opened.close();
      } catch (Exception another) {
        failure.addSuppressed(another);
      }
      throw failure;
    }
  }

  /** The same, but returns what was opened. */
  public static <C extends AutoCloseable> C prepared(C opened, Consumer<C> rest) {
    return then(
        opened,
        same -> {
          rest.accept(same);
          return same;
        });
  }
}
