package io.orchestra.hadoop.integration.placement;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.integration.FreePorts;
import io.orchestra.hadoop.integration.PromptHdfs;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * Six DataNodes in three racks inside this JVM, with the shipped configuration of network-aware
 * placement.
 *
 * <p>All of them measure the loopback interface, so their loads are equal: this shows the whole
 * path, not a choice.
 */
final class PlacementCluster implements Closeable {
  static final long BLOCK = 1 << 20;
  private static final Path TEMPORARY = Path.of("target", "mini-clusters");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final MiniDFSCluster cluster;

  private PlacementCluster(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /** What {@code conf/hdfs-placement} says, made small: 1 MB blocks, reports every 200 ms. */
  static Configuration configuration() throws IOException {
    Configuration conf = new Configuration();
    Path shipped =
        Path.of(System.getProperty("orchestra.root"), "conf/hdfs-placement/hdfs-site.xml");
    conf.addResource(shipped.toUri().toURL());
    PromptHdfs.configure(conf);
    conf.setLong("dfs.blocksize", BLOCK);
    conf.set("orchestra.placement.min-block-size", "1m");
    conf.set("orchestra.placement.report.interval", "200ms");
    // However busy the machine is, who is there is not taken for silent.
    conf.set("orchestra.placement.report.timeout", "30s");
    conf.set("orchestra.placement.link-capacity", "10gbit");
    conf.set("orchestra.placement.interface", "lo");
    conf.setInt("orchestra.placement.collector.port", FreePorts.next());
    return conf;
  }

  static PlacementCluster start(Configuration conf) throws IOException {
    File directory =
        Files.createTempDirectory(Files.createDirectories(TEMPORARY), "placement").toFile();
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory)
            // A NameNode that starts again needs it, and nobody else may have it meanwhile.
            .nameNodePort(FreePorts.next())
            .numDataNodes(6)
            .racks(new String[] {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"})
            .build();
    return new PlacementCluster(cluster);
  }

  MiniDFSCluster daemons() {
    return cluster;
  }

  DistributedFileSystem files() throws IOException {
    return cluster.getFileSystem();
  }

  JsonNode report() {
    try {
      return JSON.readTree(
          new URL(
              "http://localhost:"
                  + cluster.getNameNode().getHttpAddress().getPort()
                  + "/orchestra/placement"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  long picks(String outcome) {
    return report().required("picks").required(outcome).asLong();
  }

  /** Returns once so many report, by a snapshot made since: one before may not know all disks. */
  void awaitReporting(int datanodes) {
    long begun = System.nanoTime();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              long since = Duration.ofNanos(System.nanoTime() - begun).toMillis();
              JsonNode report = report();
              int reporting = 0;
              for (JsonNode node : report.path("nodes")) {
                reporting += node.path("reporting").asBoolean() ? 1 : 0;
              }
              long age = report.path("snapshotAgeMillis").asLong();
              return reporting == datanodes && age >= 0 && age < since;
            });
  }

  byte[] write(String path, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(path.hashCode()).nextBytes(content);
    try (FSDataOutputStream out = files().create(new org.apache.hadoop.fs.Path(path))) {
      out.write(content);
    }
    return content;
  }

  byte[] read(String path) throws IOException {
    try (FSDataInputStream in = files().open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
