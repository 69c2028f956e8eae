package io.orchestra.hadoop.testbed;

/** This machine lacks something the testbed needs; the message says what, and how to get it. */
public final class MissingPrerequisiteException extends TestbedException {
  private static final long serialVersionUID = 1;

  public MissingPrerequisiteException(String message) {
    super(message);
  }
}
