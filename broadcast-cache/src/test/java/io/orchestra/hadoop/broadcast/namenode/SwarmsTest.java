package io.orchestra.hadoop.broadcast.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.RackInference;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.TransferProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SwarmsTest {
  private static final String POOL = "pool";
  private static final String PATH = "/archive.tgz";
  private static final BlockKey BLOCK = new BlockKey(POOL, 1, 1);
  private static final BlockKey OTHER = new BlockKey(POOL, 7, 7);
  private static final int PORT = 8121;

  private final Configuration conf = new Configuration(false);
  private final Map<String, String> racks = new HashMap<>();
  private final LearnedRacks learned = new LearnedRacks(new RackInference(new Random(1)));
  private long now = 1;
  private int lookups;
  private TrackedFile file;
  private FileLookup.Unsuitable unsuitable;
  private IOException silent;
  private boolean active = true;
  private Swarms swarms;

  @BeforeEach
  void start() {
    for (int host = 0; host < 30; host++) {
      racks.put("h" + host, "/r" + host % 3);
    }
    file = file(BLOCK, 40_000_000, "h0", "h1", "h2");
    swarms =
        new Swarms(
            POOL,
            this::config,
            () -> active,
            this::find,
            (datanode, port) ->
                Optional.ofNullable(racks.get(datanode))
                    .map(rack -> new TrackedPeer(datanode, "address of " + datanode, port, rack)),
            learned,
            () -> now,
            new Random(1));
  }

  private BroadcastConfig config() {
    try {
      return BroadcastConfig.from(conf);
    } catch (InvalidConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  private TrackedFile find(BlockKey block) throws FileLookup.Unsuitable, IOException {
    lookups++;
    if (silent != null) {
      throw silent;
    }
    if (unsuitable != null) {
      throw unsuitable;
    }
    return file;
  }

  private static TrackedFile file(BlockKey block, long length, String... replicas) {
    return file(new TrackedFile.TrackedBlock(block, length, ImmutableSet.copyOf(replicas)));
  }

  private static TrackedFile file(TrackedFile.TrackedBlock... blocks) {
    return new TrackedFile(
        PATH,
        ImmutableList.copyOf(blocks),
        Arrays.stream(blocks)
            .flatMap(block -> block.replicas().stream())
            .distinct()
            .collect(ImmutableMap.toImmutableMap(Function.identity(), SwarmsTest::holder)));
  }

  private static TrackedFile.Holder holder(String datanode) {
    String rack = "/r" + Integer.parseInt(datanode.substring(1)) % 3;
    return new TrackedFile.Holder("address of " + datanode, datanode, 9866, rack);
  }

  private static PeerProto peer(String datanode) {
    return PeerProto.newBuilder().setDatanodeUuid(datanode).setPort(PORT).build();
  }

  private JoinResponseProto join(String datanode) {
    return join(datanode, BLOCK);
  }

  private JoinResponseProto join(String datanode, BlockKey block, String... claimed) {
    return swarms.join(
        JoinProto.newBuilder()
            .setSelf(peer(datanode))
            .setBlockPool(block.pool())
            .setBlock(
                BlockProto.newBuilder()
                    .setId(block.id())
                    .setGenerationStamp(block.generationStamp()))
            .addAllClaimed(List.of(claimed))
            .build());
  }

  private List<Long> announce(String datanode, int pieces) {
    AnnounceProto.Builder announcement = AnnounceProto.newBuilder().setSelf(peer(datanode));
    if (pieces >= 0) {
      announcement.addSwarms(swarm(pieces));
    }
    return swarms.announce(announcement.build()).getUnknownList();
  }

  private static SwarmProto.Builder swarm(int pieces) {
    return SwarmProto.newBuilder()
        .setBlockPool(POOL)
        .setFirstBlock(
            BlockProto.newBuilder()
                .setId(BLOCK.id())
                .setGenerationStamp(BLOCK.generationStamp())
                .setLength(40_000_000))
        .setPieces(160)
        .setPresent(pieces)
        .setBytesFromSeeds(1)
        .setBytesFromPeers(2)
        .setCorrupt(0);
  }

  /** As after a failover: each join takes time, and the peer is to be heard in between. */
  @Test
  void ofManyFilesThatItDoesNotKnowItNamesSome() {
    AnnounceProto.Builder announcement = AnnounceProto.newBuilder().setSelf(peer("h0"));
    for (int file = 0; file < 25; file++) {
      SwarmProto.Builder swarm = swarm(160);
      swarm.getFirstBlockBuilder().setId(1_000 + file);
      announcement.addSwarms(swarm);
    }

    assertThat(swarms.announce(announcement.build()).getUnknownList())
        .hasSize(20)
        .startsWith(1_000L, 1_001L);
  }

  private static Set<String> named(JoinResponseProto response) {
    return response.getNeighboursList().stream()
        .map(neighbour -> neighbour.getPeer().getDatanodeUuid())
        .collect(ImmutableSet.toImmutableSet());
  }

  @Test
  void tellsTheFirstReceiverOfTheReplicasWhosePeersAreThere() {
    announce("h0", -1);
    announce("h2", -1);
    JoinResponseProto response = join("h5");
    assertThat(response.hasDeclined()).isFalse();
    assertThat(named(response)).containsExactlyInAnyOrder("h0", "h2");
    assertThat(response.getNeighboursList()).noneMatch(NeighbourProto::getNear);
    assertThat(response.getNeighbours(0).getPeer().getAddress()).startsWith("address of ");
    assertThat(response.getPieceLength()).isEqualTo(64 << 10);
    assertThat(response.getStart()).isZero();
  }

  @Test
  void tellsLaterReceiversOfEarlierOnes() {
    announce("h0", -1);
    join("h5");
    join("h6");
    JoinResponseProto response = join("h8");
    assertThat(named(response)).containsExactlyInAnyOrder("h0", "h5", "h6");
    // h5 and h8 share a rack.
    assertThat(response.getNeighboursList())
        .filteredOn(NeighbourProto::getNear)
        .extracting(neighbour -> neighbour.getPeer().getDatanodeUuid())
        .containsExactly("h5");
    assertThat(response.getStart()).isGreaterThan(0);
  }

  @Test
  void takesAllReceiversForNearWhenRacksDoNotMatter() {
    conf.set("orchestra.broadcast.topology", "flat");
    join("h5");
    assertThat(join("h6").getNeighboursList()).allMatch(NeighbourProto::getNear);
  }

  @Test
  void infersRacksFromASwarmThatKnowsNothingOfThem() {
    conf.set("orchestra.broadcast.topology", "inferred");
    for (int host = 0; host < 12; host++) {
      assertThat(join("h" + host).getNeighboursList()).allMatch(NeighbourProto::getNear);
    }
    teach(12);
    learned.infer();

    file = file(OTHER, 40_000_000, "h0");
    for (int host = 0; host < 12; host++) {
      join("h" + host, OTHER);
    }
    assertThat(near(join("h5", OTHER))).containsExactlyInAnyOrder("h2", "h8", "h11");
    // What began without racks goes on without.
    assertThat(near(join("h5"))).hasSize(11);
  }

  @Test
  void learnsNothingFromASwarmThatKeepsToRacks() {
    for (int host = 0; host < 12; host++) {
      join("h" + host);
    }
    teach(12);
    learned.infer();
    assertThat(learned.racks()).isEmpty();
  }

  /** All say that pieces took four times as long from other racks. */
  private void teach(int hosts) {
    for (int to = 0; to < hosts; to++) {
      SwarmProto.Builder swarm = swarm(160);
      for (int from = 0; from < hosts; from++) {
        swarm.addTransfers(
            TransferProto.newBuilder()
                .setFromUuid("h" + from)
                .setBytes(1 << 20)
                .setMillis(from % 3 == to % 3 ? 200 + from + to : 800 + from + to));
      }
      swarms.announce(AnnounceProto.newBuilder().setSelf(peer("h" + to)).addSwarms(swarm).build());
    }
  }

  private static Set<String> near(JoinResponseProto response) {
    return response.getNeighboursList().stream()
        .filter(NeighbourProto::getNear)
        .map(neighbour -> neighbour.getPeer().getDatanodeUuid())
        .collect(ImmutableSet.toImmutableSet());
  }

  @Test
  void linksReceiversInAChainOrATree() {
    announce("h0", -1);
    conf.set("orchestra.broadcast.overlay", "chain");
    assertThat(named(join("h5"))).containsExactlyInAnyOrder("h0");
    assertThat(named(join("h6"))).containsExactlyInAnyOrder("h5", "h0");
    assertThat(named(join("h7"))).containsExactlyInAnyOrder("h6", "h0");
    conf.set("orchestra.broadcast.overlay", "tree");
    assertThat(named(join("h7"))).containsExactlyInAnyOrder("h5", "h0");
    assertThat(named(join("h8"))).containsExactlyInAnyOrder("h6", "h0");
    assertThat(join("h8").getMutual()).isFalse();
    assertThat(join("h8").getTakesTurns()).isFalse();
  }

  @Test
  void receiversHearWhetherFilesTakeTurns() {
    announce("h0", -1);
    assertThat(join("h5").getTakesTurns()).isTrue();
    conf.set("orchestra.broadcast.order", "together");
    assertThat(join("h6").getTakesTurns()).isFalse();
  }

  @Test
  void limitsTheNeighboursOfOneReceiver() {
    conf.set("orchestra.broadcast.neighbours", "6");
    announce("h0", -1);
    for (int host = 3; host < 30; host++) {
      join("h" + host);
    }
    assertThat(join("h29").getNeighboursList())
        .filteredOn(neighbour -> neighbour.getRole() == NeighbourProto.Role.RECEIVER)
        .hasSize(6);
  }

  @Test
  void asksHdfsOnceForManyReceivers() {
    for (int host = 3; host < 30; host++) {
      join("h" + host);
    }
    assertThat(lookups).isEqualTo(1);
    now += Duration.ofMinutes(1).toNanos();
    join("h3");
    assertThat(lookups).isEqualTo(2);
  }

  /** A NameNode that has begun anew hears of files before it hears of their replicas. */
  @Test
  void looksAgainSoonForReplicasThatAreNotKnownYet() {
    file = file(BLOCK, 40_000_000);
    announce("h0", -1);
    join("h5");
    file = file(BLOCK, 40_000_000, "h0");
    now += Duration.ofMillis(999).toNanos();
    join("h5");
    assertThat(lookups).isEqualTo(1);
    now += Duration.ofMillis(1).toNanos();
    assertThat(named(join("h5"))).containsExactly("h0");
    assertThat(lookups).isEqualTo(2);
    now += Duration.ofSeconds(5).toNanos();
    join("h5");
    assertThat(lookups).isEqualTo(2);
  }

  @Test
  void sendsReceiversOfSmallFilesToHdfs() {
    file = file(BLOCK, 1000, "h0");
    assertThat(join("h5").getDeclined()).isEqualTo("a small file");
    assertThat(swarms.declines()).containsEntry("a small file", 1L);
    assertThat(swarms.swarms()).isEmpty();

    assertThat(join("h6").getDeclined()).isEqualTo("a small file");
    assertThat(lookups).isEqualTo(1);
    now += Duration.ofMinutes(1).toNanos();
    assertThat(join("h6").getDeclined()).isEqualTo("a small file");
    assertThat(lookups).isEqualTo(2);
  }

  @Test
  void remembersOnlySoManyFilesAndThoseWithoutReceiversNoLonger() {
    String full = "more files than a tracker remembers";
    announce("h0", -1);
    for (int number = 0; number < 10_000; number++) {
      BlockKey block = new BlockKey(POOL, 1000 + number, 1);
      file = file(block, 40_000_000, "h0");
      now++;
      assertThat(join("h5", block).hasDeclined()).isFalse();
    }
    file = file(OTHER, 40_000_000, "h0");
    assertThat(join("h5", OTHER).getDeclined()).isEqualTo(full);

    // The receiver is gone.
    now += Duration.ofMinutes(1).toNanos();
    swarms.sweep();
    announce("h0", -1);
    assertThat(join("h5", OTHER).hasDeclined()).isFalse();
  }

  @Test
  void filesThatNobodyReceivesGiveWayToOthers() {
    for (int number = 0; number < 10_000; number++) {
      BlockKey block = new BlockKey(POOL, 1000 + number, 1);
      file = file(block, 40_000_000, "h0");
      now++;
      assertThat(join("h5", block).getDeclined()).isEqualTo("no peer has it");
    }
    announce("h0", -1);
    file = file(OTHER, 40_000_000, "h0");

    now++;
    assertThat(join("h5", OTHER).hasDeclined()).isFalse();
  }

  @Test
  void saysWhyAFileCannotComeAsASwarm() {
    unsuitable = new FileLookup.Unsuitable("the file is erasure-coded", PATH);
    JoinResponseProto response = join("h5");
    assertThat(response.getDeclined()).isEqualTo("the file is erasure-coded");
    assertThat(response.getElsewhere()).isFalse();
  }

  @Test
  void pointsElsewhereWhenTheNameNodeDoesNotAnswerOrHasAnotherPool() {
    silent = new IOException("standby");
    assertThat(join("h5").getElsewhere()).isTrue();
    assertThat(join("h5").getBystander()).isFalse();
    assertThat(join("h5").getBusy()).isTrue();
    JoinResponseProto ofAnother = join("h5", new BlockKey("another", 1, 1));
    assertThat(ofAnother.getElsewhere()).isTrue();
    assertThat(ofAnother.getBystander()).isTrue();
    assertThat(ofAnother.getBusy()).isFalse();
  }

  @Test
  void sendsReceiversToTheActiveNameNodeAlsoThoseOfSwarmsItKnowsFromBefore() {
    announce("h0", -1);
    join("h5");
    active = false;
    assertThat(join("h6").getElsewhere()).isTrue();
    assertThat(join("h6").getBystander()).isTrue();
    active = true;
    assertThat(named(join("h6"))).contains("h5");
  }

  @Test
  void asAStandbyHearsOfPeersAndAsksOfSwarmsOnlyOnceItIsActive() {
    active = false;
    assertThat(announce("h0", -1)).isEmpty();
    assertThat(announce("h5", 160)).isEmpty();
    active = true;
    assertThat(announce("h5", 160)).containsExactly(BLOCK.id());
    assertThat(named(join("h5"))).containsExactly("h0");
  }

  @Test
  void declinesDataNodesThatHdfsDoesNotKnow() {
    JoinResponseProto answer = join("a stranger");
    assertThat(answer.getDeclined()).isEqualTo("an unknown DataNode");
    assertThat(answer.getElsewhere()).as("it may be known soon").isTrue();
    assertThat(swarms.declines()).containsEntry("an unknown DataNode", 1L);
  }

  @Test
  void declinesAFileOfWhichNoPeerHasAnything() {
    assertThat(join("h5").getDeclined()).isEqualTo("no peer has it");
    assertThat(join("h6").getDeclined()).isEqualTo("no peer has it");

    announce("h0", -1);
    assertThat(join("h5").hasDeclined()).isFalse();
    now += Duration.ofSeconds(12).toNanos();
    assertThat(join("h6").getDeclined()).as("all are gone").isEqualTo("no peer has it");
  }

  @Test
  void saysWhichBlocksEachHasAReplicaOf() {
    BlockKey second = new BlockKey(POOL, BLOCK.id() + 1, BLOCK.generationStamp());
    file =
        file(
            new TrackedFile.TrackedBlock(BLOCK, 20_000_000, ImmutableSet.of("h0", "h1")),
            new TrackedFile.TrackedBlock(second, 20_000_000, ImmutableSet.of("h1")));
    announce("h0", -1);
    announce("h1", -1);
    JoinResponseProto first = join("h5");

    assertThat(first.getNeighboursList())
        .extracting(
            neighbour -> neighbour.getPeer().getDatanodeUuid(), NeighbourProto::getReplicasList)
        .containsExactlyInAnyOrder(tuple("h0", List.of(0)), tuple("h1", List.of(0, 1)));
    assertThat(join("h6").getNeighboursList())
        .filteredOn(neighbour -> neighbour.getPeer().getDatanodeUuid().equals("h5"))
        .singleElement()
        .extracting(NeighbourProto::getReplicasCount)
        .isEqualTo(0);
  }

  @Test
  void tellsForWhichFilesItNeedNotBeAsked() {
    conf.set("orchestra.broadcast.min-file-size", "1m");
    assertThat(join("h5").getMinFileSize()).isEqualTo(1 << 20);
  }

  @Test
  void doesNothingWhenItIsSwitchedOff() {
    conf.set("orchestra.broadcast.enabled", "false");
    assertThat(join("h5").getDeclined()).isEqualTo("switched off");
  }

  @Test
  void forgetsPeersThatAreSilent() {
    announce("h0", -1);
    join("h5");
    now += Duration.ofSeconds(60).toNanos();
    swarms.sweep();
    assertThat(swarms.peers()).isEmpty();
    assertThat(named(join("h6"))).isEmpty();
  }

  /** Each waits 2 s for a NameNode that does not answer. */
  @Test
  void waitsForPeersThatAnotherNameNodeHoldsUp() {
    announce("h0", -1);
    now += Duration.ofSeconds(10).toNanos();
    swarms.sweep();
    assertThat(swarms.peers()).isNotEmpty();
  }

  @Test
  void forgetsSwarmsThatNobodyIsIn() {
    join("h5");
    now += Duration.ofMinutes(5).toNanos();
    swarms.sweep();
    assertThat(swarms.swarms()).isEmpty();
  }

  @Test
  void asksToBeToldAboutSwarmsItDoesNotKnow() {
    assertThat(announce("h5", 160)).containsExactly(BLOCK.id());
    join("h5");
    assertThat(announce("h5", 160)).isEmpty();
    Swarm.Member member = swarms.swarms().get(0).members().get(0);
    assertThat(member.present()).isEqualTo(160);
    assertThat(member.fromPeers()).isEqualTo(2);
  }

  @Test
  void reportsHowFastPeersSendAndReceiversReceive() {
    join("h5");
    announce("h5", swarm(80).setBytesFromSeeds(1_000_000).setBytesFromPeers(3_000_000), 500);
    assertThat(report().swarms().get(0).receivers().get(0).receives()).isZero();
    now += Duration.ofSeconds(2).toNanos();
    announce("h5", swarm(120).setBytesFromSeeds(2_000_000).setBytesFromPeers(8_000_000), 700);
    assertThat(report().swarms().get(0).receivers().get(0).receives()).isEqualTo(3_000_000);
    assertThat(report().peers())
        .singleElement()
        .extracting(TrackerReport.PeerReport::sends)
        .isEqualTo(700L);
    now += Duration.ofSeconds(2).toNanos();
    announce("h5", swarm(1), 700);
    assertThat(report().swarms().get(0).receivers().get(0).receives())
        .as("it has begun anew")
        .isZero();
  }

  @Test
  void reportsWhoWasSentBackOfLateAndWhy() {
    file = file(BLOCK, 1000, "h0");
    join("h5");
    now += Duration.ofMinutes(1).toNanos();
    unsuitable = new FileLookup.Unsuitable("the file has changed", "");
    join("h6", OTHER);
    now += Duration.ofSeconds(3).toNanos();
    assertThat(report().recentDeclines())
        .containsExactly(
            new TrackerReport.DeclineReport(3, "h6", "", OTHER.toString(), "the file has changed"),
            new TrackerReport.DeclineReport(63, "h5", PATH, BLOCK.toString(), "a small file"));
    for (int time = 0; time < 500; time++) {
      join("h7", OTHER);
    }
    assertThat(report().recentDeclines())
        .hasSize(100)
        .allMatch(decline -> decline.datanode().equals("h7"));
    assertThat(report().declines()).containsEntry("the file has changed", 501L);
  }

  private TrackerReport report() {
    return TrackerReport.of(swarms, learned);
  }

  private void announce(String datanode, SwarmProto.Builder swarm, long transmitted) {
    AnnounceResponseProto unused =
        swarms.announce(
            AnnounceProto.newBuilder()
                .setSelf(peer(datanode))
                .addSwarms(swarm)
                .setTransmitted(transmitted)
                .build());
  }

  @Test
  void namesThoseOfManyReplicasWhoseHostsSendLeast() {
    String[] holders = new String[20];
    for (int host = 0; host < holders.length; host++) {
      holders[host] = "h" + host;
      // The later the less.
      announce("h" + host, swarm(0), 1000 - host);
    }
    file = file(BLOCK, 40_000_000, holders);
    assertThat(named(join("h29")))
        .containsExactlyInAnyOrderElementsOf(List.of(holders).subList(10, 20));
  }

  @Test
  void forgetsAReceiverThatNoLongerHasTheFile() {
    join("h5");
    join("h6");
    for (int second = 0; second < 12; second++) {
      now += Duration.ofSeconds(1).toNanos();
      announce("h5", -1);
      announce("h6", 160);
      swarms.sweep();
    }
    assertThat(swarms.swarms().get(0).members())
        .extracting(Swarm.Member::datanode)
        .containsExactly("h6");
  }

  @Test
  void namesThoseWhoClaimToBeInTheSwarmIfTheyAre() {
    conf.set("orchestra.broadcast.neighbours", "2");
    announce("h1", -1);
    for (int host = 3; host < 30; host++) {
      join("h" + host);
    }
    JoinResponseProto response = join("h5", BLOCK, "h29", "h0", "a stranger");
    assertThat(named(response)).containsExactly("h29");
  }

  @Test
  void saysWhereSomeReplicasOfEachBlockCanBeReadAlsoOfHostsWithoutAPeer() {
    BlockKey second = new BlockKey(POOL, BLOCK.id() + 1, BLOCK.generationStamp());
    file =
        file(
            new TrackedFile.TrackedBlock(
                BLOCK, 20_000_000, ImmutableSet.of("h0", "h1", "h2", "h3", "h4")),
            new TrackedFile.TrackedBlock(second, 20_000_000, ImmutableSet.of("h1", "h9")));
    announce("h1", -1);
    Set<String> first = new HashSet<>();
    for (int receiver = 12; receiver < 30; receiver += 3) {
      JoinResponseProto answer = join("h" + receiver);
      assertThat(answer.getReplication()).isEqualTo(2);
      assertThat(answer.getHoldersList())
          .allSatisfy(
              holder -> {
                assertThat(holder.getAddress()).isEqualTo("address of " + holder.getDatanodeUuid());
                assertThat(holder.getTransferPort()).isEqualTo(9866);
              });
      List<String> holders = holders(answer, 0);
      assertThat(holders).hasSize(3).isSubsetOf("h0", "h1", "h2", "h3", "h4");
      assertThat(holders.subList(0, 2)).as("in its rack").containsExactlyInAnyOrder("h0", "h3");
      assertThat(holders(answer, 1)).containsExactly("h9", "h1");
      first.add(holders.get(0));
    }
    assertThat(first).as("not all read the same").hasSize(2);
  }

  private static List<String> holders(JoinResponseProto answer, int block) {
    return answer.getBlockHolders(block).getHoldersList().stream()
        .map(holder -> answer.getHolders(holder).getDatanodeUuid())
        .toList();
  }

  @Test
  void saysHowManyDoNotHaveItYet() {
    announce("h0", -1);
    assertThat(join("h5").getReaders()).isEqualTo(1);
    assertThat(join("h6").getReaders()).isEqualTo(2);
    announce("h5", 160);
    assertThat(join("h7").getReaders()).isEqualTo(2);
    assertThat(join("h7", BLOCK, "h6").getReaders()).isEqualTo(2);
  }

  @Test
  void namesAReplicaOfEachBlockFirst() {
    conf.set("orchestra.broadcast.neighbours", "2");
    List<TrackedFile.TrackedBlock> blocks = new ArrayList<>();
    for (int block = 0; block < 10; block++) {
      announce("h" + 2 * block, -1);
      announce("h" + (2 * block + 1), -1);
      blocks.add(
          new TrackedFile.TrackedBlock(
              new BlockKey(POOL, 1 + block, 1),
              10_000_000,
              ImmutableSet.of("h" + 2 * block, "h" + (2 * block + 1))));
    }
    file = file(blocks.toArray(TrackedFile.TrackedBlock[]::new));
    Set<String> named = named(join("h29"));
    assertThat(named).hasSize(10);
    blocks.forEach(block -> assertThat(named).containsAnyElementsOf(block.replicas()));
  }

  @Test
  void beginsAnewWhenTheFileWasReplaced() {
    announce("h0", -1);
    announce("h1", -1);
    join("h5");
    BlockKey newer = new BlockKey(POOL, 2, 2);
    file = file(newer, 50_000_000, "h1");
    assertThat(join("h6", newer).getBlocks(0).getId()).isEqualTo(2);
    assertThat(swarms.swarms()).hasSize(2);
  }
}
