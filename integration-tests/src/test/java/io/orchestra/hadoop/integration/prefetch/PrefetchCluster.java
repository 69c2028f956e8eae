package io.orchestra.hadoop.integration.prefetch;

import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.integration.PromptHdfs;
import io.orchestra.hadoop.integration.ShownTokens;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.BlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * DataNodes inside this JVM with the shipped configuration of the prefetch scheduler, each with a
 * block cache of its own, as if each were alone on its host, and a coordinator that says what a
 * test says.
 */
final class PrefetchCluster implements Closeable {
  static final int BLOCK = 2 << 20;

  private final Configuration conf;
  private final FakeCoordinator coordinator;
  private final MiniDFSCluster cluster;
  private final Path directory;

  private PrefetchCluster(
      Configuration conf, FakeCoordinator coordinator, MiniDFSCluster cluster, Path directory) {
    this.conf = conf;
    this.coordinator = coordinator;
    this.cluster = cluster;
    this.directory = directory;
  }

  /** What {@code conf/prefetch-scheduler} says, made small. */
  static Configuration configuration() throws IOException {
    Configuration conf = new HdfsConfiguration();
    Path shipped =
        Path.of(System.getProperty("orchestra.root"), "conf/prefetch-scheduler/hdfs-site.xml");
    conf.addResource(shipped.toUri().toURL());
    PromptHdfs.configure(conf);
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setInt("dfs.replication", 1);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("orchestra.block-cache.capacity", "64m");
    conf.set("orchestra.block-cache.guard-socket", "false");
    // Otherwise a reader that is kept from running for a second reads on from HDFS.
    conf.set("orchestra.block-cache.map-input-wait", "60s");
    return conf;
  }

  static PrefetchCluster start(Configuration conf, int datanodes) throws IOException {
    // Not below target: a socket's path must be short.
    Path directory = Files.createTempDirectory("pf");
    File data = Files.createTempDirectory(Path.of("target"), "prefetch").toFile();
    FakeCoordinator coordinator = new FakeCoordinator(conf);
    conf.set("orchestra.prefetch.coordinators", "localhost");
    conf.setInt("orchestra.prefetch.daemon.port", coordinator.port());
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, data).numDataNodes(0).build();
    PrefetchCluster started = new PrefetchCluster(conf, coordinator, cluster, directory);
    try {
      for (int host = 0; host < datanodes; host++) {
        cluster.startDataNodes(started.host(host), 1, true, null, null);
      }
      cluster.waitActive();
      await().atMost(Duration.ofSeconds(60)).until(() -> coordinator.daemons() == datanodes);
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /** The configuration of a host: of its DataNode, and of clients beside it. */
  Configuration host(int number) {
    Configuration own = new HdfsConfiguration(conf);
    own.set("orchestra.block-cache.socket", directory.resolve("h" + number + "/s").toString());
    own.set("orchestra.block-cache.directory", directory.resolve("h" + number + "/b").toString());
    return own;
  }

  FakeCoordinator coordinator() {
    return coordinator;
  }

  MiniDFSCluster daemons() {
    return cluster;
  }

  DistributedFileSystem files() throws IOException {
    return cluster.getFileSystem();
  }

  String uuid(int host) {
    return cluster.getDataNodes().get(host).getDatanodeUuid();
  }

  /** Writes a file with one replica, on one host. */
  byte[] write(String path, int bytes, int host) throws IOException {
    byte[] content = new byte[bytes];
    new Random(path.hashCode()).nextBytes(content);
    DistributedFileSystem files = files();
    try (var out =
        files.create(
            new org.apache.hadoop.fs.Path(path),
            org.apache.hadoop.fs.permission.FsPermission.getFileDefault(),
            true,
            4096,
            (short) 1,
            conf.getLong("dfs.blocksize", BLOCK),
            null,
            new java.net.InetSocketAddress[] {cluster.getDataNodes().get(host).getXferAddress()})) {
      out.write(content);
    }
    return content;
  }

  LocatedBlock block(String path) throws IOException {
    return files().getClient().getLocatedBlocks(path, 0).get(0);
  }

  /** To bring the first block of a file, as fast as it goes. */
  StartProto.Builder order(String path) throws IOException {
    LocatedBlock block = block(path);
    return StartProto.newBuilder()
        .setBlock(
            BlockProto.newBuilder()
                .setPool(block.getBlock().getBlockPoolId())
                .setId(block.getBlock().getBlockId())
                .setGenerationStamp(block.getBlock().getGenerationStamp())
                .setLength(block.getBlockSize()))
        .setToken(ShownTokens.of(block))
        .setUser("alice")
        .setRate(0)
        .setMillisToDeadline(10_000);
  }

  /** Reads a file as a map on a host does. */
  byte[] readAsMap(int host, String path) throws IOException {
    Configuration task = host(host);
    task.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    task.setBoolean("mapreduce.task.ismap", true);
    return read(task, path);
  }

  byte[] read(Configuration reader, String path) throws IOException {
    try (FileSystem files = FileSystem.newInstance(cluster.getURI(0), reader);
        FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  @Override
  public void close() {
    cluster.shutdown(true);
    coordinator.close();
    FileUtil.fullyDelete(directory.toFile());
  }
}
