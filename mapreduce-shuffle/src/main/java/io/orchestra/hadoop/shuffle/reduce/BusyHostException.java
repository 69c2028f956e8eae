package io.orchestra.hadoop.shuffle.reduce;

import java.io.IOException;

/** A host has as many connections as it takes. */
final class BusyHostException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long retryMillis;

  /**
   * @param retryMillis when it wants to be asked again
   */
  BusyHostException(String message, long retryMillis) {
    super(message);
    this.retryMillis = retryMillis;
  }

  long retryMillis() {
    return retryMillis;
  }
}
