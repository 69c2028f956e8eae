package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerProtocol;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerProtocolPB;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.core.blockcache.proto.BlockCacheProtos.OpenResponseProto;
import io.orchestra.hadoop.integration.ShownTokens;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Nobody gets from a cache, a peer or a tracker what HDFS would not give him. */
final class BroadcastSecurityIT {
  private static final int SIZE = 5 * BroadcastCluster.BLOCK / 2 + 17;
  private static final String SECRET = "/secret";
  private static final String OTHER = "/other";
  private static final String FORGED = "2030-01-01 00:00:00,000 INFO all is well";
  private static final String LISTENER = "io.orchestra.hadoop.broadcast.datanode.PeerListener";
  private static final UserGroupInformation MALLORY =
      UserGroupInformation.createUserForTesting("mallory", new String[] {"others"});

  private static BroadcastCluster cluster;
  private static ExtendedBlock secret;

  /** The first host has replicas of both files, the second has the secret one in its cache. */
  @BeforeAll
  static void start() throws IOException {
    Configuration conf = BroadcastCluster.patient();
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(SwarmTrackerProtocol.ACL_KEY, UserGroupInformation.getLoginUser().getShortUserName());
    conf.set("dfs.cluster.administrators", System.getProperty("user.name"));
    cluster = BroadcastCluster.start(conf, 1);
    byte[] content = cluster.write(SECRET, SIZE, 1);
    cluster.write(OTHER, SIZE, 1);
    cluster
        .files()
        .setPermission(new org.apache.hadoop.fs.Path(SECRET), new FsPermission((short) 0600));
    cluster.add(true);
    cluster.awaitPeers(2);
    byte[] read = cluster.localize(1, SECRET).orTimeout(1, TimeUnit.MINUTES).join();
    assertThat(Arrays.equals(read, content)).isTrue();
    cluster.awaitBytesFromCaches(SIZE);
    secret = cluster.firstBlock(SECRET).getBlock();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void onlyAdministratorsSeeTheNamesOfFiles() {
    assertThat(cluster.report().path("peers")).isNotEmpty();
    assertThatThrownBy(() -> cluster.report("mallory")).hasMessageContaining("403");
  }

  @Test
  void whoHasAGoodTokenIsServed() throws IOException {
    ByteString token = token(SECRET);
    assertThat(open(secret, token, SECRET).getSumsCount()).isPositive();
    for (int port : cluster.peerPorts()) {
      assertThat(Stranger.hello(port, secret, token).getHas().size()).isPositive();
    }
  }

  @Test
  void whoHasNoGoodTokenGetsNothingFromACache() throws IOException {
    for (Map.Entry<String, ByteString> token : badTokens().entrySet()) {
      OpenResponseProto answer = open(secret, token.getValue(), SECRET);
      assertThat(answer.getDeclined())
          .as("token " + token.getKey())
          .isEqualTo("the block token is not valid");
      assertThat(answer.getSumsCount()).isZero();
    }
  }

  @Test
  void whoHasNoGoodTokenGetsNothingFromAPeer() throws IOException {
    for (int port : cluster.peerPorts()) {
      for (Map.Entry<String, ByteString> token : badTokens().entrySet()) {
        HelloProto hello = Stranger.greeting(secret, token.getValue());
        for (boolean mutual : new boolean[] {false, true}) {
          assertThat(Stranger.refusal(port, hello.toBuilder().setMutual(mutual).build()))
              .as("token " + token.getKey())
              .isEqualTo("not allowed");
        }
      }
      assertThat(Stranger.refusal(port, Stranger.empty(secret).build())).isEqualTo("not allowed");
    }
  }

  @Test
  void whoHasNoGoodTokenWritesNothingIntoAPeersLog() throws IOException {
    ExtendedBlock block =
        new ExtendedBlock(
            "BP-another\n" + FORGED, secret.getBlockId(), SIZE, secret.getGenerationStamp());
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(LISTENER));
    try {
      for (int port : cluster.peerPorts()) {
        for (int time = 0; time < 5; time++) {
          assertThat(Stranger.hello(port, block, token(SECRET)).getRefused())
              .isEqualTo("not allowed");
        }
      }
    } finally {
      log.stopCapturing();
    }
    assertThat(log.getOutput().lines()).noneMatch(line -> line.startsWith(FORGED));
    assertThat(log.getOutput().lines().filter(line -> line.contains("was refused")))
        .hasSizeLessThanOrEqualTo(cluster.peerPorts().size());
  }

  @Test
  void whoSaysMuchBeforeHisTokensAreVerifiedIsLeftAtOnce() throws IOException {
    ByteString endless = ByteString.copyFrom(new byte[256 << 10]);
    for (int port : cluster.peerPorts()) {
      try (Socket socket = new Socket("localhost", port)) {
        assertThatThrownBy(
                () -> {
                  Stranger.greeting(secret, endless).writeDelimitedTo(socket.getOutputStream());
                  if (socket.getInputStream().read() < 0) {
                    throw new EOFException("it has left without a word");
                  }
                })
            .isInstanceOf(IOException.class);
      }
    }
  }

  private static Map<String, ByteString> badTokens() throws IOException {
    return ShownTokens.bad(
        cluster.daemons().getNamesystem().getBlockManager().getBlockTokenSecretManager(),
        cluster.firstBlock(SECRET),
        cluster.firstBlock(OTHER));
  }

  private static ByteString token(String path) throws IOException {
    return ShownTokens.of(cluster.firstBlock(path));
  }

  @Test
  void aTokenGivesNothingButItsBlockAsItIs() throws IOException {
    ByteString token = token(SECRET);
    ExtendedBlock earlier =
        new ExtendedBlock(
            secret.getBlockPoolId(),
            secret.getBlockId(),
            secret.getNumBytes(),
            secret.getGenerationStamp() - 1);
    assertThat(open(earlier, token, SECRET).getDeclined()).isEqualTo("the file has changed");
    assertThat(open(ShownTokens.inAnotherPool(secret), token, SECRET).getDeclined())
        .isEqualTo("the block token is not valid");
    for (int port : cluster.peerPorts()) {
      assertThat(Stranger.refusal(port, Stranger.greeting(earlier, token)))
          .isEqualTo("nothing here");
      assertThat(
              Stranger.refusal(port, Stranger.greeting(ShownTokens.inAnotherPool(secret), token)))
          .isEqualTo("not allowed");
    }
  }

  @Test
  void thePathThatAClientTellsOpensNoOtherFile() throws IOException {
    ExtendedBlock block = cluster.firstBlock(OTHER).getBlock();
    assertThat(open(block, token(OTHER), SECRET).getBlockLength()).isEqualTo(block.getNumBytes());
    assertThat(cluster.receivers(OTHER)).hasSize(1);
  }

  @Test
  void whoMayNotReadAFileIsNotLetInBecauseItIsInTheCache() {
    CompletableFuture<byte[]> read =
        MALLORY.doAs(
            (PrivilegedAction<CompletableFuture<byte[]>>) () -> cluster.localize(1, SECRET));
    assertThatThrownBy(() -> read.orTimeout(1, TimeUnit.MINUTES).join())
        .hasCauseInstanceOf(AccessControlException.class);
  }

  @Test
  void whoIsNotInTheAccessControlListIsNotHeardByTheTracker() throws IOException {
    Configuration conf = cluster.host(0);
    RPC.setProtocolEngine(conf, SwarmTrackerProtocolPB.class, ProtobufRpcEngine2.class);
    SwarmTrackerProtocolPB tracker =
        RPC.getProxy(
            SwarmTrackerProtocolPB.class,
            RPC.getProtocolVersion(SwarmTrackerProtocolPB.class),
            cluster.tracker(),
            MALLORY,
            conf,
            NetUtils.getDefaultSocketFactory(conf));
    try {
      String datanode = cluster.daemons().getDataNodes().get(0).getDatanodeUuid();
      AnnounceProto announcement =
          AnnounceProto.newBuilder()
              .setSelf(PeerProto.newBuilder().setDatanodeUuid(datanode).setPort(1))
              .build();
      assertThatThrownBy(() -> tracker.announce(null, announcement))
          .hasMessageContaining("mallory")
          .hasMessageContaining("is not authorized");
      assertThat(cluster.peerPorts()).hasSize(2).doesNotContain(1);
    } finally {
      RPC.stopProxy(tracker);
    }
  }

  private static OpenResponseProto open(ExtendedBlock block, ByteString token, String path)
      throws IOException {
    Path socket = Path.of(cluster.host(1).get("orchestra.block-cache.socket"));
    return Stranger.open(socket, block, token, path);
  }
}
