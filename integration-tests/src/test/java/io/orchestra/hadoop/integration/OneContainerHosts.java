package io.orchestra.hadoop.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Emulated clusters on which jobs have many more maps than containers, and most maps run away from
 * their input: a container fills a host, and two hosts of four have all of the input.
 */
public final class OneContainerHosts {
  /** A job takes a minute, and several where all processors are busy with something else. */
  public static final Duration LONGEST_JOB = Duration.ofMinutes(15);

  /** Hosts that run tasks. */
  public static final int WORKERS = 4;

  /** Those of them that have none of the input. */
  public static final List<String> WITHOUT_INPUT = List.of("r1h2", "r2h2");

  private static final Rate LINK = Rate.parse("50mbit");

  private OneContainerHosts() {}

  /** Starts one whose name begins with {@code purpose}. */
  public static RunningCluster start(
      String purpose, boolean highlyAvailable, List<Plugin> plugins, Setting... settings) {
    return EmulatedHosts.start(
        ClusterSpec.of(
                "it-" + purpose + "-" + ProcessHandle.current().pid(),
                2,
                2,
                LINK,
                Rate.parse("100mbit"))
            .withHighAvailability(highlyAvailable)
            .with(
                plugins,
                List.of(
                    new Setting(Site.HDFS, "dfs.replication", "1"),
                    new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "256"),
                    new Setting(Site.YARN, "yarn.scheduler.minimum-allocation-mb", "256"),
                    new Setting(
                        Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "256"),
                    new Setting(Site.YARN, "yarn.scheduler.maximum-allocation-mb", "256"),
                    new Setting(Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", "256"),
                    new Setting(Site.MAPRED, "mapreduce.map.speculative", "false")))
            .with(List.of(settings)));
  }

  /**
   * Writes text into the directory {@code input} of alice.
   *
   * @param blocks and so maps of a job that reads it; half of them on each of two hosts
   * @param blockBytes of each but the last of a host, which has half as many
   */
  public static void writeInput(RunningCluster cluster, int blocks, int blockBytes) {
    // The first replica is on the host of the writer.
    for (String host : List.of("r1h1", "r2h1")) {
      String unusedOutput =
          hadoop(
              cluster,
              host,
              "jar",
              "examples",
              "randomtextwriter",
              "-Dmapreduce.framework.name=local",
              "-Ddfs.blocksize=" + blockBytes,
              "-Dmapreduce.randomtextwriter.totalbytes=" + (blocks - 1) * blockBytes / 2,
              "input/" + host);
    }
  }

  /**
   * Empties the caches of hosts without input: what jobs have read is there, and would have come at
   * once. Returns once all workers are at work again.
   */
  public static void forgetBlocks(RunningCluster cluster) {
    WITHOUT_INPUT.forEach(host -> cluster.faults().restart(host, Daemon.DATANODE));
    cluster.awaitWorkers();
  }

  /** Gives hosts without input links on which blocks are on their way for longer. */
  public static void slowDown(RunningCluster cluster, Rate rate) {
    WITHOUT_INPUT.forEach(host -> cluster.faults().rate(host, rate));
  }

  /** Gives them back the links that all hosts have. */
  public static void speedUp(RunningCluster cluster) {
    slowDown(cluster, LINK);
  }

  /** Runs a program of Hadoop as alice on a host; returns what it printed to standard output. */
  public static String hadoop(RunningCluster cluster, String host, String... words) {
    Command.Outcome outcome =
        new HadoopClient(
                cluster.cluster(), cluster.cluster().host(host), Optional.of(Account.ALICE))
            .hadoop(List.of(words))
            .within(LONGEST_JOB)
            .run();
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.output();
  }
}
