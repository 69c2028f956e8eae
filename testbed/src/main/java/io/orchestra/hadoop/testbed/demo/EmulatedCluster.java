package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.ClusterBoot;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.ClusterTeardown;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.Leftovers;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The emulated cluster, with namespaces and shaped links. */
final class EmulatedCluster implements DemoCluster {
  private final TestbedHome home;
  private final Cluster cluster;
  private final Leftovers leftovers;

  EmulatedCluster(TestbedHome home, Project project, Progress progress, ClusterSpec spec) {
    this.home = home;
    this.cluster = new ClusterBoot(home, project, progress).up(spec);
    this.leftovers = new Leftovers(cluster);
  }

  @Override
  public void hadoop(Account user, List<String> words, Path log) {
    new HadoopClient(cluster, cluster.plan().masters().get(0), Optional.of(user)).run(words, log);
  }

  @Override
  public Path fetchDirectory() {
    String host = cluster.plan().masters().get(0).name();
    return cluster.directory().host(host).resolve("home").resolve(Account.HDFS.userName());
  }

  @Override
  public Optional<JsonNode> nameNode(String path) {
    return cluster.web().json("http://m1:9870" + path);
  }

  @Override
  public List<String> leftovers() {
    return leftovers.findAfterAWhile();
  }

  @Override
  public void close() {
    new ClusterTeardown(home).down(cluster.spec().name());
  }
}
