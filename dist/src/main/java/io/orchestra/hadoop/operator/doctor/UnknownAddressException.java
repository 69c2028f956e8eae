package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;

/** The configuration does not tell where masters are. */
final class UnknownAddressException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param masters such as NameNodes
   */
  UnknownAddressException(String masters, RuntimeException cause) {
    super(
        "the configuration does not tell where %s are: %s".formatted(masters, cause.getMessage()),
        cause);
  }
}
