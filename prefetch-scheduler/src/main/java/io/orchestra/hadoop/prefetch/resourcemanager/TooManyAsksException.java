package io.orchestra.hadoop.prefetch.resourcemanager;

/** An application asks for more than is copied of any. */
final class TooManyAsksException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TooManyAsksException(String message) {
    super(message);
  }
}
