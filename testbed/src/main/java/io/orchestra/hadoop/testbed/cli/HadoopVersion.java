package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.hadoop.Versions;
import picocli.CommandLine.Option;

/** The option that says which Hadoop a cluster runs. */
final class HadoopVersion {
  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      description = "Hadoop version, such as 3.4.2 (default: the one this was built for).")
  private String version = Versions.ofThisBuild().hadoop();

  String version() {
    return version;
  }
}
