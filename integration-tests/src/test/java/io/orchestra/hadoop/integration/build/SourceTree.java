package io.orchestra.hadoop.integration.build;

import java.nio.file.Path;

/** Where the checked-out project is. */
final class SourceTree {
  private SourceTree() {}

  static Path root() {
    return Path.of(System.getProperty("orchestra.root"));
  }
}
