package io.orchestra.hadoop.prefetch.resourcemanager;

import java.util.concurrent.CancellationException;

/** A copy of the scheduler would have taken too long, and was given up. */
final class TooLargeException extends CancellationException {
  private static final long serialVersionUID = 1L;

  TooLargeException() {
    super("the scheduler is too large to be copied");
  }
}
