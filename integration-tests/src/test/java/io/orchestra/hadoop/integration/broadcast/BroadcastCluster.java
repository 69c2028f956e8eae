package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.integration.FreePorts;
import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.PromptHdfs;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * DataNodes inside this JVM with the shipped configuration of the broadcast cache, each with a
 * socket of its own, as if each were alone on its host.
 */
final class BroadcastCluster implements Closeable {
  static final int BLOCK = 2 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Configuration conf;
  private final MiniDFSCluster cluster;
  private final Path directory;

  private BroadcastCluster(Configuration conf, MiniDFSCluster cluster, Path directory) {
    this.conf = conf;
    this.cluster = cluster;
    this.directory = directory;
  }

  /** What {@code conf/broadcast-cache} says, made small: 2 MB blocks, 64 KB pieces. */
  static Configuration configuration() throws IOException {
    Configuration conf = new HdfsConfiguration();
    Path shipped =
        Path.of(System.getProperty("orchestra.root"), "conf/broadcast-cache/hdfs-site.xml");
    conf.addResource(shipped.toUri().toURL());
    PromptHdfs.configure(conf);
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("orchestra.broadcast.min-file-size", "1m");
    conf.set("orchestra.broadcast.piece-size", "64k");
    conf.set("orchestra.broadcast.announce-interval", "200ms");
    conf.set("orchestra.broadcast.stall-timeout", "2s");
    // However busy the machine is, nobody gives the tracker up.
    conf.set("orchestra.broadcast.join-timeout", "15s");
    conf.set("orchestra.broadcast.peer.port", "0");
    conf.setInt("orchestra.broadcast.tracker.port", FreePorts.next());
    conf.set("orchestra.block-cache.capacity", "256m");
    conf.set("orchestra.block-cache.guard-socket", "false");
    return conf;
  }

  /**
   * The same where nobody stands still on purpose: what a busy machine brings late is not given up.
   */
  static Configuration patient() throws IOException {
    Configuration conf = configuration();
    conf.set("orchestra.broadcast.stall-timeout", "30s");
    return conf;
  }

  static BroadcastCluster start(Configuration conf, int datanodes) throws IOException {
    // Not below target: a socket's path must be short.
    Path directory = Files.createTempDirectory("bc");
    File data = Files.createTempDirectory(Path.of("target"), "broadcast").toFile();
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, data)
            // A NameNode that starts again needs it, and nobody else may have it meanwhile.
            .nameNodePort(FreePorts.next())
            .numDataNodes(0)
            .build();
    BroadcastCluster started = new BroadcastCluster(conf, cluster, directory);
    try {
      for (int host = 0; host < datanodes; host++) {
        started.startDataNode(true);
      }
      cluster.waitActive();
      if (conf.getBoolean("orchestra.broadcast.enabled", true)) {
        started.awaitPeers(datanodes);
      }
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /**
   * Starts a DataNode on one more host.
   *
   * @param peer whether it is to be one of the swarm
   * @return its UUID
   */
  String add(boolean peer) throws IOException {
    int number = startDataNode(peer);
    cluster.waitActive();
    return cluster.getDataNodes().get(number).getDatanodeUuid();
  }

  private int startDataNode(boolean peer) throws IOException {
    int number = cluster.getDataNodes().size();
    Configuration own = host(number);
    own.setBoolean(
        "orchestra.broadcast.enabled", peer && own.getBoolean("orchestra.broadcast.enabled", true));
    cluster.startDataNodes(own, 1, true, null, new String[] {"/r" + number % 2});
    return number;
  }

  /** The configuration of a host: of its DataNode, and of clients beside it. */
  Configuration host(int number) {
    Configuration own = new HdfsConfiguration(conf);
    own.set("orchestra.block-cache.socket", directory.resolve("h" + number + "/s").toString());
    own.set("orchestra.block-cache.directory", directory.resolve("h" + number + "/b").toString());
    return own;
  }

  MiniDFSCluster daemons() {
    return cluster;
  }

  DistributedFileSystem files() throws IOException {
    return cluster.getFileSystem();
  }

  LocatedBlock firstBlock(String path) throws IOException {
    return files().getClient().getLocatedBlocks(path, 0).get(0);
  }

  /** The NameNode does not have others made in their place, and them dropped. */
  static void keepCorruptReplicas(Configuration conf) {
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 3600);
  }

  /** The NameNode knows of a corrupt replica of a file's first block, as from HDFS's clients. */
  void awaitToldOfCorruptReplica(String path) throws IOException {
    Block block = firstBlock(path).getBlock().getLocalBlock();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> cluster.getNamesystem().getBlockManager().getCorruptReplicas(block) != null);
  }

  InetSocketAddress tracker() {
    return new InetSocketAddress("localhost", conf.getInt("orchestra.broadcast.tracker.port", 0));
  }

  /** Where the peers listen. */
  List<Integer> peerPorts() {
    List<Integer> ports = new ArrayList<>();
    report().path("peers").forEach(peer -> ports.add(peer.path("port").asInt()));
    return ports;
  }

  JsonNode report() {
    return report(System.getProperty("user.name"));
  }

  /** The same as somebody else sees it. */
  JsonNode report(String user) {
    try {
      return JSON.readTree(
          new URL(
              "http://localhost:%d/orchestra/broadcast?user.name=%s"
                  .formatted(cluster.getNameNode().getHttpAddress().getPort(), user)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The receivers of a file, as the tracker knows them. */
  List<JsonNode> receivers(String path) {
    List<JsonNode> receivers = new ArrayList<>();
    for (JsonNode swarm : report().path("swarms")) {
      if (swarm.path("path").asText().equals(path)) {
        swarm.path("receivers").forEach(receivers::add);
      }
    }
    return receivers;
  }

  void awaitPeers(int peers) {
    await().atMost(Duration.ofSeconds(60)).until(() -> report().path("peers").size() == peers);
  }

  byte[] write(String path, int bytes, int replicas) throws IOException {
    byte[] content = new byte[bytes];
    new Random(path.hashCode()).nextBytes(content);
    try (FSDataOutputStream out =
        files().create(new org.apache.hadoop.fs.Path(path), (short) replicas)) {
      out.write(content);
    }
    return content;
  }

  /** Reads a file as a localizer on a host does. */
  CompletableFuture<byte[]> localize(int host, String path) {
    return read(host, path, "ContainerLocalizer Downloader-" + host);
  }

  /** Reads a file on a thread with a name. */
  CompletableFuture<byte[]> read(int host, String path, String threadName) {
    return onThread(
        host,
        threadName,
        files -> {
          try (FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path(path))) {
            return in.readAllBytes();
          }
        });
  }

  /** What a client does. */
  @FunctionalInterface
  interface Work<T> {
    T with(FileSystem files) throws Exception;
  }

  /** Does something on a host as a localizer does. */
  <T> CompletableFuture<T> asLocalizer(int host, Work<T> work) {
    return onThread(host, "ContainerLocalizer Downloader-" + host, work);
  }

  <T> CompletableFuture<T> onThread(int host, String threadName, Work<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try (FileSystem files = FileSystem.newInstance(cluster.getURI(0), host(host))) {
                result.complete(work.with(files));
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            threadName);
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  /** They are counted when they are sent, which may be after readers have them. */
  void awaitBytesFromCaches(long bytes) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(bytesFromCaches()).isEqualTo(bytes));
  }

  /** Bytes that all caches have given to readers. */
  long bytesFromCaches() {
    return Metrics.sum("OrchestraBlockCache", "BytesServed");
  }

  /** There are caches, and readers had nothing of them. */
  void assertNothingFromCaches() {
    assertThat(Metrics.required("OrchestraBlockCache", "BytesServed")).isZero();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
    FileUtil.fullyDelete(directory.toFile());
  }
}
