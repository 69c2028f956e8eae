package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.network.Rate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code orchestra cluster up}. */
@Command(
    name = "up",
    description = "Starts a cluster, and returns when all its daemons are ready.",
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  @Spec private CommandSpec command;
  @Mixin private ClusterName cluster;

  @Option(
      names = "--racks",
      defaultValue = "3",
      description = "Number of racks (default: ${DEFAULT-VALUE}).")
  private int racks;

  @Option(
      names = "--hosts-per-rack",
      defaultValue = "2",
      description = "Number of workers in each rack (default: ${DEFAULT-VALUE}).")
  private int hostsPerRack;

  @Option(
      names = "--host-rate",
      paramLabel = "RATE",
      defaultValue = "100mbit",
      description =
          "Rate of each worker's link in each direction, as tc writes it, or unlimited (default:"
              + " ${DEFAULT-VALUE}).")
  private Rate hostRate;

  @Option(
      names = "--uplink-rate",
      paramLabel = "RATE",
      defaultValue = "400mbit",
      description =
          "Rate of each rack's link to the core in each direction, as tc writes it, or unlimited"
              + " (default: ${DEFAULT-VALUE}).")
  private Rate uplinkRate;

  @Mixin private HadoopVersion hadoop;

  @Option(
      names = "--hadoop-home",
      paramLabel = "DIR",
      description = "An unpacked Hadoop release to use instead of one from Maven.")
  private Path hadoopHome;

  @Option(names = "--ha", description = "Run two NameNodes and two ResourceManagers.")
  private boolean highlyAvailable;

  @Option(
      names = "--plugins",
      paramLabel = "NAMES",
      defaultValue = "none",
      description =
          "Plugins to switch on, separated by commas: placement, broadcast, shuffle, prefetch; or"
              + " none (default: ${DEFAULT-VALUE}).")
  private String plugins;

  @Option(
      names = "--set",
      paramLabel = "SITE:KEY=VALUE",
      description =
          "A setting of Hadoop or a plugin, which overrides all others; SITE is core, hdfs, yarn or"
              + " mapred. Can be repeated.")
  private List<Setting> settings = new ArrayList<>();

  @Option(
      names = "--secure",
      description =
          "Use Kerberos, with a KDC on the first master and keytabs, encrypted transfers and"
              + " service authorization.")
  private boolean secure;

  @Option(names = "--no-yarn", description = "Start HDFS only.")
  private boolean withoutYarn;

  @Override
  public Integer call() {
    ClusterSpec spec = spec();
    Progress progress = Progress.onStandardError();
    try (RunningCluster up =
        RunningCluster.up(cluster.home(), Project.ofThisCommand(), spec, progress)) {
      up.leaveRunning();
      System.out.print(StatusText.summary(up.cluster()));
    }
    return ExitStatus.SUCCESS;
  }

  private ClusterSpec spec() {
    try {
      ClusterSpec spec =
          ClusterSpec.of(cluster.name(), racks, hostsPerRack, hostRate, uplinkRate)
              .with(Plugin.parse(plugins), settings)
              .withHadoop(hadoop.version())
              .withHadoopHome(
                  hadoopHome == null ? "" : hadoopHome.toAbsolutePath().normalize().toString())
              .withHighAvailability(highlyAvailable)
              .withYarn(!withoutYarn)
              .withKerberos(secure);
      spec.network();
      return spec;
    } catch (TestbedException | IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }
}
