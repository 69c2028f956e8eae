package io.orchestra.hadoop.operator;

/** A command cannot do what it was asked. */
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param problem one sentence without a full stop
   * @param remedy what the operator can do about it
   */
  public OperatorException(String problem, String remedy) {
    super(problem + "\n  remedy: " + remedy);
  }

  public OperatorException(String problem, String remedy, Throwable cause) {
    super(problem + "\n  remedy: " + remedy, cause);
  }
}
