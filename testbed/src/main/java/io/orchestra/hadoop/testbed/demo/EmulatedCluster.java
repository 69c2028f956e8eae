package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.Leftovers;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The emulated cluster, with namespaces and shaped links. */
final class EmulatedCluster implements DemoCluster {
  private final RunningCluster running;
  private final Cluster cluster;
  private final Leftovers leftovers;

  private EmulatedCluster(RunningCluster running, Leftovers leftovers) {
    this.running = running;
    this.cluster = running.cluster();
    this.leftovers = leftovers;
  }

  static EmulatedCluster start(
      TestbedHome home, Project project, ClusterSpec spec, Progress progress) {
    Leftovers leftovers = Leftovers.beforeStart(home);
    return new EmulatedCluster(RunningCluster.up(home, project, spec, progress), leftovers);
  }

  @Override
  public void hadoop(Account user, List<String> words, Path log) {
    HadoopClient.onFirstMaster(cluster, user).run(words, log);
  }

  @Override
  public Path fetchDirectory() {
    String host = cluster.plan().firstMaster().name();
    return cluster.directory().host(host).resolve("home").resolve(Account.HDFS.userName());
  }

  @Override
  public Optional<JsonNode> nameNode(String path) {
    return cluster.web().json("http://m1:9870" + path);
  }

  @Override
  public void succeeded() {
    running.succeeded();
  }

  @Override
  public List<String> leftovers() {
    return leftovers.findAfterAWhile();
  }

  @Override
  public void close() {
    try (running) {
      leftovers.remember(cluster);
    }
  }
}
