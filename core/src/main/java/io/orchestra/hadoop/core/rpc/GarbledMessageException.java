package io.orchestra.hadoop.core.rpc;

import java.io.IOException;

/** What came is no message that was expected: from a stranger, or of another version. */
public final class GarbledMessageException extends IOException {
  private static final long serialVersionUID = 1;

  GarbledMessageException(String message) {
    super(message);
  }
}
