package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.integration.Metrics;
import io.orchestra.hadoop.integration.ShownTokens;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

final class BroadcastMiniClusterIT {
  private static final int SIZE = 5 * BroadcastCluster.BLOCK / 2 + 17;

  @Test
  void allHostsLocalizeAFileAsASwarmAndGetTheBytesThatWereWritten() throws Exception {
    try (BroadcastCluster cluster = start(5)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      assertThat(localizeOnAll(cluster, 5, "/file")).allMatch(read -> equal(read, content));

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(cluster.receivers("/file"))
                      .hasSizeGreaterThanOrEqualTo(4)
                      .allMatch(receiver -> receiver.path("pieces").asInt() == 81)
                      .anyMatch(receiver -> receiver.path("fromPeers").asLong() > 0));
      // Of each block one host has the replica and reads that.
      cluster.awaitBytesFromCaches(4L * SIZE);
      // Of three blocks, by the one host that has each, for all who ask.
      assertThat(Metrics.sum("OrchestraSwarmPeer", "ChecksumsComposed")).isEqualTo(3);
    }
  }

  @Test
  void readersThatAreNoLocalizersReadFromHdfs() throws Exception {
    try (BroadcastCluster cluster = start(2)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      assertThat(cluster.read(0, "/file", "main").orTimeout(1, TimeUnit.MINUTES).join())
          .isEqualTo(content);
      assertThat(cluster.read(1, "/file", "main").orTimeout(1, TimeUnit.MINUTES).join())
          .isEqualTo(content);
      assertThat(cluster.report().required("swarms")).isEmpty();
      cluster.assertNothingFromCaches();
    }
  }

  @Test
  void switchedOffInTheConfigurationNothingOfItRunsAndAllReadFromHdfs() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    conf.setBoolean("orchestra.broadcast.enabled", false);
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 2)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      assertThat(localizeOnAll(cluster, 2, "/file")).allMatch(read -> equal(read, content));
      assertThat(java.nio.file.Path.of(cluster.host(0).get("orchestra.block-cache.socket")))
          .doesNotExist();
      assertThat(Metrics.exists("OrchestraBlockCache")).isFalse();
      assertThat(Metrics.exists("OrchestraSwarmPeer")).isFalse();
      assertThat(Metrics.exists("OrchestraSwarmTracker")).isFalse();
    }
  }

  @Test
  void aTrackerWhosePortSomebodyElseHasShowsNothing() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    File data = Files.createTempDirectory(java.nio.file.Path.of("target"), "broadcast").toFile();
    try (ServerSocket unused =
            new ServerSocket(conf.getInt("orchestra.broadcast.tracker.port", 0));
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, data).numDataNodes(0).build()) {
      URL page =
          new URL(
              "http://localhost:%d/orchestra/broadcast"
                  .formatted(cluster.getNameNode().getHttpAddress().getPort()));
      assertThat(((HttpURLConnection) page.openConnection()).getResponseCode())
          .isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
      assertThat(Metrics.exists("OrchestraSwarmTracker")).isFalse();
    }
  }

  @Test
  void switchedOffInTheNameNodeAllReadFromHdfs() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    conf.setBoolean("orchestra.broadcast.enabled", true);
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 2)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      assertThat(Metrics.sum("OrchestraSwarmTracker", "Enabled")).isOne();
      int code =
          new DFSAdmin(conf)
              .run(
                  new String[] {
                    "-refresh",
                    "localhost:" + cluster.daemons().getNameNodePort(),
                    "orchestra-broadcast",
                    "order=together",
                    "enabled=false"
                  });
      assertThat(code).isZero();
      assertThat(localizeOnAll(cluster, 2, "/file")).allMatch(read -> equal(read, content));
      assertThat(cluster.report().path("declines").path("switched off").asLong()).isPositive();
      assertThat(Metrics.required("OrchestraSwarmTracker", "Enabled")).isZero();
      cluster.assertNothingFromCaches();
    }
  }

  @Test
  void aPeerThatDiesInTheMiddleCostsNobodyTheFile() throws Exception {
    try (BroadcastCluster cluster = start(5)) {
      byte[] content = cluster.write("/file", 20 * BroadcastCluster.BLOCK, 2);
      List<CompletableFuture<byte[]>> reads = new ArrayList<>();
      for (int host = 0; host < 4; host++) {
        reads.add(cluster.localize(host, "/file"));
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Metrics.sum("OrchestraSwarmPeer", "BytesReceived") > SIZE);
      cluster.daemons().stopDataNode(4);
      for (CompletableFuture<byte[]> read : reads) {
        assertThat(equal(read.orTimeout(2, TimeUnit.MINUTES).join(), content)).isTrue();
      }
      assertThat(cluster.bytesFromCaches()).isGreaterThan(SIZE);
    }
  }

  @Test
  void aRestartedTrackerLearnsOfItsSwarmsAgain() throws Exception {
    try (BroadcastCluster cluster = start(3)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      localizeOnAll(cluster, 2, "/file");
      cluster.daemons().restartNameNode();
      cluster.awaitPeers(3);
      await().atMost(Duration.ofSeconds(60)).until(() -> !cluster.receivers("/file").isEmpty());
      long before = cluster.bytesFromCaches();
      assertThat(localizeOnAll(cluster, 3, "/file")).allMatch(read -> equal(read, content));
      assertThat(cluster.bytesFromCaches()).isGreaterThan(before);
    }
  }

  @Test
  void aPeerSurvivesGarbage() throws Exception {
    try (BroadcastCluster cluster = start(3)) {
      for (int port : cluster.peerPorts()) {
        for (String garbage :
            List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0", "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff")) {
          try (Socket socket = new Socket("localhost", port)) {
            socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes().length).isLessThan(100);
          }
        }
      }
      byte[] content = cluster.write("/file", SIZE, 1);
      assertThat(localizeOnAll(cluster, 3, "/file")).allMatch(read -> equal(read, content));
      assertThat(cluster.bytesFromCaches()).isPositive();
    }
  }

  @Test
  void aReplicaThatRottedIsAskedNoMoreAndTheFileComesFromOthers() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    BroadcastCluster.keepCorruptReplicas(conf);
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 5)) {
      long before = Metrics.sum("OrchestraSwarmPeer", "PiecesCorrupt");
      String file = "";
      // The good replica may be all that is asked for a file.
      for (int number = 0; Metrics.sum("OrchestraSwarmPeer", "PiecesCorrupt") == before; number++) {
        assertThat(number).as("files of which no rotten piece was sent").isLessThan(20);
        file = "/file" + number;
        byte[] content = cluster.write(file, BroadcastCluster.BLOCK, 2);
        corruptOne(cluster, cluster.firstBlock(file).getBlock());
        assertThat(localizeOnAll(cluster, 5, file)).allMatch(read -> equal(read, content));
      }
      assertThat(cluster.bytesFromCaches()).isPositive();
      cluster.awaitToldOfCorruptReplica(file);
    }
  }

  @Test
  void piecesAreEncryptedWhereDataTransfersAre() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 3)) {
      byte[] content = cluster.write("/file", SIZE, 1);
      assertThat(localizeOnAll(cluster, 3, "/file")).allMatch(read -> equal(read, content));
      cluster.awaitBytesFromCaches(2L * SIZE);
      LocatedBlock block = cluster.firstBlock("/file");
      ByteString good = ShownTokens.of(block);
      for (int port : cluster.peerPorts()) {
        // In plain text nobody is answered.
        assertThatThrownBy(
                () -> assertThat(Stranger.hello(port, block.getBlock(), good)).isNotNull())
            .isInstanceOfAny(IOException.class, AssertionError.class);
      }
    }
  }

  @Test
  void erasureCodedFilesAreReadFromHdfs() throws Exception {
    try (BroadcastCluster cluster = start(5)) {
      Path directory = new Path("/ec");
      cluster.files().mkdirs(directory);
      cluster.files().enableErasureCodingPolicy("RS-3-2-1024k");
      cluster.files().setErasureCodingPolicy(directory, "RS-3-2-1024k");
      byte[] content = cluster.write("/ec/file", SIZE, 1);
      assertThat(localizeOnAll(cluster, 3, "/ec/file")).allMatch(read -> equal(read, content));
      cluster.assertNothingFromCaches();
      assertThat(cluster.report().required("declines")).as("nobody was asked").isEmpty();

      LocatedBlock group = cluster.firstBlock("/ec/file");
      ByteString token = ShownTokens.of(group);
      List<String> answers = new ArrayList<>();
      for (int host = 0; host < 5; host++) {
        answers.add(
            Stranger.open(socket(cluster, host), group.getBlock(), token, "/ec/file")
                .getDeclined());
      }
      // The first block of a group has the group's number.
      String reason = "the file is erasure-coded";
      assertThat(answers)
          .containsExactlyInAnyOrder("a replica is on this host", reason, reason, reason, reason);
      assertThat(cluster.report().path("declines").path(reason).asInt()).isEqualTo(4);
      assertThat(Metrics.sum("OrchestraBlockCache", "DeclinedTheFileIsErasureCoded")).isEqualTo(4);
    }
  }

  private static java.nio.file.Path socket(BroadcastCluster cluster, int host) {
    return java.nio.file.Path.of(cluster.host(host).get("orchestra.block-cache.socket"));
  }

  @Test
  void bytesThatChangeInACachesFileAreGivenToNobodyAndTheirBlockIsDropped() throws Exception {
    try (BroadcastCluster cluster = start(1)) {
      byte[] content = cluster.write("/file", BroadcastCluster.BLOCK, 1);
      cluster.add(true);
      cluster.awaitPeers(2);
      assertThat(equal(cluster.localize(1, "/file").join(), content)).isTrue();
      cluster.awaitBytesFromCaches(content.length);

      flipInCache(cluster.host(1), content.length / 2);
      assertThat(equal(cluster.localize(1, "/file").join(), content)).isTrue();
      assertThat(cluster.bytesFromCaches()).isLessThan(2L * content.length);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Metrics.required("OrchestraBlockCache", "BytesUsed") == 0);
      // Counted by the thread that has found it, which may be later.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(Metrics.sum("OrchestraBlockCache", "BlocksSpoilt")).isOne());
    }
  }

  /** Files of cached blocks have no name; the kernel shows them to this process. */
  private static void flipInCache(Configuration host, long position) throws IOException {
    String directory = host.get("orchestra.block-cache.directory") + "/";
    List<java.nio.file.Path> descriptors;
    try (Stream<java.nio.file.Path> open = Files.list(java.nio.file.Path.of("/proc/self/fd"))) {
      descriptors = open.toList();
    }
    for (java.nio.file.Path descriptor : descriptors) {
      // That of the list is closed.
      if (Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS)
          && Files.readSymbolicLink(descriptor).toString().startsWith(directory)) {
        try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
          file.seek(position);
          int was = file.read();
          file.seek(position);
          file.write(~was);
        }
      }
    }
  }

  @Test
  void filesOfEncryptionZonesArriveAsASwarmAndStayEncryptedOnTheWay() throws Exception {
    Configuration conf = BroadcastCluster.patient();
    java.nio.file.Path keys = Files.createTempDirectory("keys");
    conf.set("hadoop.security.key.provider.path", "jceks://file" + keys.resolve("test.jks"));
    try (BroadcastCluster cluster = BroadcastCluster.start(conf, 3)) {
      KeyProvider provider =
          KeyProviderFactory.getProviders(cluster.daemons().getConfiguration(0)).get(0);
      provider.createKey("key", KeyProvider.options(conf));
      provider.flush();
      // The NameNode has a provider of its own, which read the keys before.
      cluster.daemons().restartNameNode();
      cluster.awaitPeers(3);
      Path zone = new Path("/zone");
      cluster.files().mkdirs(zone);
      cluster.files().createEncryptionZone(zone, "key");
      byte[] content = cluster.write("/zone/file", SIZE, 1);
      assertThat(localizeOnAll(cluster, 3, "/zone/file")).allMatch(read -> equal(read, content));
      cluster.awaitBytesFromCaches(2L * SIZE);
      byte[] stored = firstPiece(cluster, "/.reserved/raw/zone/file");
      assertThat(stored).isNotEqualTo(Arrays.copyOf(content, stored.length));
      LocatedBlock block = cluster.firstBlock("/zone/file");
      ByteString token = ShownTokens.of(block);
      for (int port : cluster.peerPorts()) {
        assertThat(Stranger.firstPiece(port, block.getBlock(), token)).isEqualTo(stored);
      }
    } finally {
      FileUtil.fullyDelete(keys.toFile());
    }
  }

  private static byte[] firstPiece(BroadcastCluster cluster, String path) throws IOException {
    try (FSDataInputStream in = cluster.files().open(new Path(path))) {
      return in.readNBytes(64 << 10);
    }
  }

  @Test
  void aFileReplacedMeanwhileIsReadAsItIsNow() throws Exception {
    try (BroadcastCluster cluster = start(3)) {
      cluster.write("/file", SIZE, 1);
      localizeOnAll(cluster, 3, "/file");
      cluster.files().delete(new Path("/file"), false);
      byte[] newer = cluster.write("/file", 2 * SIZE, 1);
      long before = cluster.bytesFromCaches();
      assertThat(localizeOnAll(cluster, 3, "/file")).allMatch(read -> equal(read, newer));
      assertThat(cluster.bytesFromCaches()).isGreaterThan(before);
    }
  }

  private static void corruptOne(BroadcastCluster cluster, ExtendedBlock block) throws IOException {
    for (int host = 0; ; host++) {
      try {
        // All of it: nobody knows which of its pieces will be asked for.
        cluster
            .daemons()
            .getMaterializedReplica(host, block)
            .corruptData(new byte[BroadcastCluster.BLOCK]);
        return;
      } catch (ReplicaNotFoundException e) {
        // Another host has it.
      }
    }
  }

  private static BroadcastCluster start(int datanodes) throws IOException {
    return BroadcastCluster.start(BroadcastCluster.patient(), datanodes);
  }

  private static List<byte[]> localizeOnAll(BroadcastCluster cluster, int hosts, String path)
      throws Exception {
    List<CompletableFuture<byte[]>> reads = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      reads.add(cluster.localize(host, path));
    }
    List<byte[]> all = new ArrayList<>();
    for (CompletableFuture<byte[]> read : reads) {
      all.add(read.orTimeout(2, TimeUnit.MINUTES).join());
    }
    return all;
  }

  /** Not through AssertJ, which would print both. */
  private static boolean equal(byte[] read, byte[] written) {
    return Arrays.equals(read, written);
  }
}
