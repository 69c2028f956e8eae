package io.orchestra.hadoop.integration.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.integration.ProgramJar;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster with Kerberos and all plugins. Each worker has room for one container, so that maps run
 * away from their input, of which two workers have all.
 */
final class SecureCluster implements AutoCloseable {
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(Site.HDFS, "dfs.replication", "1"),
          new Setting(Site.HDFS, "orchestra.broadcast.min-file-size", "1m"),
          new Setting(Site.HDFS, "orchestra.broadcast.announce-interval", "500ms"),
          new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "256"),
          new Setting(Site.YARN, "yarn.scheduler.minimum-allocation-mb", "256"),
          new Setting(Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "256"),
          new Setting(Site.YARN, "yarn.scheduler.maximum-allocation-mb", "256"),
          new Setting(Site.YARN, "orchestra.prefetch.confirmed", "true"),
          new Setting(Site.MAPRED, "mapreduce.client.submit.file.replication", "1"),
          new Setting(Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", "256"),
          new Setting(Site.MAPRED, "mapreduce.map.speculative", "false"));

  private final RunningCluster running;

  private SecureCluster(RunningCluster running) {
    this.running = running;
  }

  /** Skips the test where hosts cannot be emulated. */
  static SecureCluster up() {
    EmulatedHosts.assumePossible();
    return new SecureCluster(
        EmulatedHosts.start(
            ClusterSpec.of(
                    "it-secure-" + ProcessHandle.current().pid(),
                    2,
                    2,
                    Rate.parse("50mbit"),
                    Rate.parse("100mbit"))
                .withKerberos(true)
                .with(List.of(Plugin.values()), SETTINGS)));
  }

  /** The same cluster without any plugin. */
  void restartStock() {
    running.reconfigure(List.of(), SETTINGS);
    running.restart();
  }

  /** The same cluster, whose daemons let everybody in who has a ticket, as Hadoop's default is. */
  void restartWithoutAuthorization() {
    running.reconfigure(
        List.of(Plugin.values()),
        ImmutableList.<Setting>builder()
            .addAll(SETTINGS)
            .add(new Setting(Site.CORE, "hadoop.security.authorization", "false"))
            .build());
    running.restart();
  }

  Cluster hosts() {
    return running.cluster();
  }

  List<String> workers() {
    return hosts().plan().workers().stream().map(Host::name).toList();
  }

  /** Runs a stock client, as root if there is no user: root has no keytab. */
  Command.Outcome run(String host, Optional<Account> user, List<String> words) {
    return new HadoopClient(hosts(), hosts().host(host), user).hadoop(words).run();
  }

  /** As alice, to its end. */
  void alice(String host, List<String> words) {
    Command.Outcome outcome = run(host, Optional.of(Account.ALICE), words);
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
  }

  String read(String files) {
    Command.Outcome outcome =
        run("m1", Optional.of(Account.ALICE), List.of("hdfs", "dfs", "-cat", files));
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.output();
  }

  /** Runs a class of these tests that stands alone. */
  /** For programs that are run later: those of users have only what tasks have. */
  void addJarOf(Class<?> ours) throws IOException {
    Path jar = Path.of(ours.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path unused =
        Files.copy(
            jar,
            hosts().directory().commandJars().resolve(jar.getFileName()),
            StandardCopyOption.REPLACE_EXISTING);
  }

  String run(String host, Account user, Class<?> program, List<String> arguments)
      throws IOException {
    ProgramJar.write(program, hosts().directory().commandJars());
    Command.Outcome outcome =
        new HadoopClient(hosts(), hosts().host(host), Optional.of(user))
            .ours(program, 100, arguments)
            .run();
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.output();
  }

  String address(String host, Daemon daemon) {
    return hosts().webAddress(hosts().host(host), daemon);
  }

  /** What an administrator is told at an address of a daemon. */
  JsonNode json(String host, Daemon daemon, String path) {
    String url = address(host, daemon) + path;
    return hosts().web().json(url).orElseThrow(() -> new AssertionError("nothing at " + url));
  }

  /** A figure of a metrics source, over all workers. */
  long counted(Daemon daemon, String service, String source, String figure) {
    WebClient web = hosts().web();
    return workers().stream()
        .map(worker -> address(worker, daemon))
        .map(
            address ->
                web.bean(address, service + ",name=" + source)
                    .orElseThrow(() -> new AssertionError("nothing at " + address)))
        .mapToLong(bean -> bean.path(figure).asLong())
        .sum();
  }

  /** Lines of a daemon's logs on all hosts that have it. */
  List<String> logged(Daemon daemon, String text) {
    List<String> lines = new ArrayList<>();
    for (Host host : hosts().plan().hosts()) {
      Path log = hosts().directory().log(host.name(), daemon);
      if (Files.exists(log)) {
        try {
          Files.readString(log).lines().filter(line -> line.contains(text)).forEach(lines::add);
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }
    return lines;
  }

  void succeeded() {
    running.succeeded();
  }

  @Override
  public void close() {
    running.close();
  }
}
