package io.orchestra.hadoop.testbed.cli;

/** What the exit status of a command means. */
final class ExitStatus {
  static final int SUCCESS = 0;
  static final int FAILURE = 1;
  static final int USAGE = 2;
  static final int MISSING_PREREQUISITE = 3;

  private ExitStatus() {}
}
