package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code orchestra doctor}: starts the examination in a Java process of its own, on the jars of the
 * Hadoop that is looked at, so that the configuration is read as that Hadoop reads it.
 */
@Command(
    name = "doctor",
    description =
        "Finds what is wrong with an installation: versions, class paths and configuration; with"
            + " --live also what the daemons say.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:nothing is wrong",
      "1:there are problems; each is printed with its remedy",
      "2:something could not be examined"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final String EXAMINATION = "io.orchestra.hadoop.operator.doctor.Examination";
  private static final String QUIET = "io/orchestra/hadoop/operator/doctor/quiet.properties";

  @Mixin private HomeOption home;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "The directory with hdfs-site.xml and the other site files. Default: $HADOOP_CONF_DIR;"
              + " without that, the home's etc/hadoop, or its conf if that has hadoop-env.sh")
  private Path configuration;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      split = ",",
      converter = RoleName.class,
      description = "The roles to examine, separated by commas. Default: the installed ones")
  private List<Role> roles = List.of();

  @Option(
      names = "--live",
      description =
          "Also ask the daemons of all hosts that the configuration names, over HTTP or HTTPS,"
              + " whether the plugins work.")
  private boolean live;

  @Option(
      names = "--framework",
      paramLabel = "DIR",
      description =
          "The directory in which the archive is unpacked that mapreduce.application.framework.path"
              + " names. Without it, the archive is not examined")
  private Path framework;

  @Override
  public Integer call() throws InterruptedException {
    HadoopHome hadoop = home.open();
    List<String> words = new ArrayList<>(List.of(java()));
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.add("-Dlog4j.configuration=" + QUIET);
    Path conf = HomeOption.configuration(hadoop, configuration);
    words.addAll(List.of("-cp", classPath(hadoop, conf), EXAMINATION));
    words.add(hadoop.root().toString());
    words.add(conf.toString());
    words.add(roles.stream().map(Role::roleName).collect(Collectors.joining(",")));
    words.add(Boolean.toString(live));
    if (framework != null) {
      words.add(framework.toString());
    }
    try (ChildProcess examination = ChildProcess.start(new ProcessBuilder(words).inheritIO())) {
      return examination.await();
    } catch (IOException e) {
      throw new OperatorException("cannot start " + words.get(0) + ": " + e, "set JAVA_HOME", e);
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin/java").toString();
  }

  /** The configuration comes first, as for daemons; client settings of TLS are found there. */
  private static String classPath(HadoopHome hadoop, Path configuration) {
    Path share = hadoop.root().resolve("share/hadoop");
    return Stream.of(
            configuration,
            Release.ofThisCommand().root().resolve("lib/*"),
            share.resolve("common/lib/*"),
            share.resolve("common/*"),
            share.resolve("hdfs/lib/*"),
            share.resolve("hdfs/*"),
            share.resolve("yarn/lib/*"),
            share.resolve("yarn/*"))
        .map(Path::toString)
        .collect(Collectors.joining(":"));
  }
}
