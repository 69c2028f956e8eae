package io.orchestra.hadoop.testbed;

/**
 * Something went wrong; the message is written for the person at the terminal and says what to do.
 */
public class TestbedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public TestbedException(String message) {
    super(message);
  }

  public TestbedException(String message, Throwable cause) {
    super(message, cause);
  }
}
