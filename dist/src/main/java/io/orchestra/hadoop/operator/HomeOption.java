package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.HadoopHome;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which Hadoop a command is about, and how that is configured. */
final class HomeOption {
  @Option(
      names = "--hadoop-home",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${env:HADOOP_HOME}",
      description =
          "The Hadoop home: the directory with bin, libexec and share. Default: $HADOOP_HOME")
  private Path home;

  HadoopHome open() {
    return HadoopHome.open(home);
  }

  HadoopHome openToRemove() {
    return HadoopHome.openToRemove(home);
  }

  /**
   * @param named on the command line; null if it was not
   */
  static Path configuration(HadoopHome home, Path named) {
    return configuration(home, named, System.getenv("HADOOP_CONF_DIR"));
  }

  /**
   * @param variable what the environment says; as in Hadoop's scripts, blank is nothing
   */
  static Path configuration(HadoopHome home, Path named, String variable) {
    return Optional.ofNullable(named)
        .or(() -> Optional.ofNullable(variable).filter(text -> !text.isBlank()).map(Path::of))
        .orElseGet(home::defaultConfiguration)
        .toAbsolutePath()
        .normalize();
  }
}
