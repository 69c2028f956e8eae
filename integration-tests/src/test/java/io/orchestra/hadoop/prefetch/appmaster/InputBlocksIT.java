package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.blockcache.BlockTokens;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Where the right to have a block brought comes from: the NameNode gives it to whoever may read.
 */
@Timeout(180)
final class InputBlocksIT {
  private static final int BLOCK = 1 << 20;
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"people"});
  private static final UserGroupInformation BOB =
      UserGroupInformation.createUserForTesting("bob", new String[] {"people"});

  private static Configuration conf;
  private static MiniDFSCluster cluster;

  /** Of two blocks, which only alice may read. */
  private static Path secret;

  /** Of nine blocks, which everybody may read. */
  private static Path open;

  @BeforeAll
  static void start() throws IOException {
    conf = new HdfsConfiguration();
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setInt("dfs.replication", 1);
    conf.setBoolean("dfs.block.access.token.enable", true);
    java.nio.file.Path data =
        Files.createTempDirectory(java.nio.file.Path.of("target"), "input-blocks");
    cluster = new MiniDFSCluster.Builder(conf, data.toFile()).numDataNodes(1).build();
    cluster.waitActive();
    secret = write("/secret", 2 * BLOCK - 1000);
    cluster.getFileSystem().setOwner(secret, "alice", "people");
    cluster.getFileSystem().setPermission(secret, new FsPermission((short) 0600));
    open = write("/open", 9 * BLOCK);
  }

  private static Path write(String name, int bytes) throws IOException {
    DistributedFileSystem files = cluster.getFileSystem();
    Path path = files.makeQualified(new Path(name));
    try (FSDataOutputStream out = files.create(path)) {
      out.write(new byte[bytes]);
    }
    return path;
  }

  @AfterAll
  static void stop() throws IOException {
    FileSystem.closeAllForUGI(ALICE);
    FileSystem.closeAllForUGI(BOB);
    if (cluster != null) {
      cluster.shutdown(true);
    }
  }

  @Test
  void whoMayReadAFileHasATokenOfHisOwnForEachOfItsBlocks()
      throws IOException, InterruptedException {
    List<InputBlockProto> blocks = blocks(ALICE, part(secret, 0, 2 * BLOCK - 1000));

    assertThat(blocks)
        .extracting(InputBlockProto::getLength)
        .containsExactly((long) BLOCK, BLOCK - 1000L);
    String datanode = cluster.getDataNodes().get(0).getDatanodeUuid();
    for (InputBlockProto block : blocks) {
      assertThat(block.getReplicasList()).containsExactly(datanode);
      verify(block, "alice");
      assertThatThrownBy(() -> verify(block, "bob")).isInstanceOf(InvalidToken.class);
    }
  }

  private static void verify(InputBlockProto block, String user) throws IOException {
    BlockTokenSecretManager tokens =
        cluster.getNamesystem().getBlockManager().getBlockTokenSecretManager();
    tokens.checkAccess(
        BlockTokens.read(block.getToken()),
        user,
        new ExtendedBlock(
            block.getPool(), block.getId(), block.getLength(), block.getGenerationStamp()),
        AccessMode.READ);
  }

  @Test
  void whoMayNotReadAFileHasNoTokenOfAnythingThatHisMapReads()
      throws IOException, InterruptedException {
    assertThat(blocks(BOB, part(open, 0, 10))).hasSize(1);

    assertThatThrownBy(() -> blocks(BOB, part(secret, 0, 10)))
        .isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> blocks(BOB, part(open, 0, 10), part(secret, 0, 10)))
        .isInstanceOf(AccessControlException.class);
  }

  @Test
  void norIsAnybodyAskedToBringIt() {
    assertThat(told(ALICE)).extracting(TaskInputProto::getBlocksCount).containsExactly(2);
    assertThat(told(BOB)).isEmpty();
  }

  /** What the ResourceManager hears when it asks what a map reads that has the secret as input. */
  private static List<TaskInputProto> told(UserGroupInformation user) {
    try (InputLookup lookup =
        new InputLookup(
            map -> blocks(user, part(secret, 0, 2 * BLOCK - 1000)), Duration.ofMinutes(1))) {
      lookup.ask(job(), List.of(0));
      await().atMost(Duration.ofSeconds(60)).until(() -> !lookup.isLooking());
      return lookup.take();
    }
  }

  private static Job job() {
    Task map = answering(Task.class, Map.of());
    return answering(
        Job.class,
        Map.of(
            "getID", MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), "getTask", map));
  }

  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  @Test
  void ofABlockThatIsReadInPartsThereIsOneToken() throws IOException, InterruptedException {
    assertThat(blocks(BOB, part(open, 0, 10), part(open, 10, 10), part(open, BLOCK, 10)))
        .hasSize(2);
  }

  @Test
  void whatIsTooMuchIsNotBrought() throws IOException, InterruptedException {
    assertThat(blocks(BOB, part(open, 0, 8L * BLOCK))).hasSize(8);
    assertThat(blocks(BOB, part(open, 0, 9L * BLOCK))).isEmpty();
    List<FileSplit> parts = Collections.nCopies(17, part(open, 0, 10));
    assertThat(blocks(BOB, parts.subList(0, 16))).hasSize(1);
    assertThat(blocks(BOB, parts)).isEmpty();
  }

  @Test
  void whatIsNotInHdfsIsNotBrought() throws IOException, InterruptedException {
    assertThat(blocks(BOB, part(new Path("file:///etc/hosts"), 0, 10))).isEmpty();
  }

  private static FileSplit part(Path file, long start, long length) {
    return new FileSplit(file, start, length, new String[0]);
  }

  private static List<InputBlockProto> blocks(UserGroupInformation user, FileSplit... parts)
      throws IOException, InterruptedException {
    return blocks(user, List.of(parts));
  }

  private static List<InputBlockProto> blocks(UserGroupInformation user, List<FileSplit> parts)
      throws IOException, InterruptedException {
    return user.doAs(
        (PrivilegedExceptionAction<List<InputBlockProto>>) () -> InputBlocks.of(conf, parts));
  }
}
