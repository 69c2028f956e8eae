package io.orchestra.hadoop.broadcast.namenode;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multiset;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.RackInference;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.TransferProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a swarm costs a NameNode: every peer joins, and asks about each peer that comes to it as
 * long as it has room for more, then announces {@value #ANNOUNCEMENTS} times, which is what half a
 * minute takes. Without RPC.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 10)
@Fork(1)
public class TrackerBenchmark {
  private static final int ANNOUNCEMENTS = 10;
  private static final int NEIGHBOURS = 16;
  private static final int RACK = 20;
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);

  @Param({"10", "100", "1000"})
  public int peers;

  private String[] datanodes;
  private Swarms swarms;

  /** Bytes of requests and responses. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Traffic {
    public long bytes;
  }

  @Setup(Level.Iteration)
  public void start() throws InvalidConfigurationException {
    Random random = new Random(1);
    datanodes =
        IntStream.range(0, peers)
            .mapToObj(peer -> new UUID(random.nextLong(), random.nextLong()).toString())
            .toArray(String[]::new);
    TrackedFile.TrackedBlock block =
        new TrackedFile.TrackedBlock(
            BLOCK, 1 << 30, ImmutableSet.copyOf(List.of(datanodes).subList(0, 10)));
    TrackedFile file =
        new TrackedFile(
            "/user/somebody/.staging/job/archive.tgz",
            ImmutableList.of(block),
            block.replicas().stream()
                .collect(
                    ImmutableMap.toImmutableMap(
                        Function.identity(),
                        uuid -> new TrackedFile.Holder("10.0.0.1", "host", 9866, "/rack0"))));
    BroadcastConfig config = BroadcastConfig.from(new Configuration(false));
    swarms =
        new Swarms(
            BLOCK.pool(),
            () -> config,
            () -> true,
            key -> file,
            (datanode, port) ->
                Optional.of(
                    new TrackedPeer(
                        datanode, "10.0.0.1", port, "/rack" + datanode.hashCode() % RACK)),
            new LearnedRacks(new RackInference(random)),
            System::nanoTime,
            random);
  }

  @Benchmark
  public int swarm(Traffic traffic) {
    Multiset<String> visitors = HashMultiset.create();
    for (String datanode : datanodes) {
      for (NeighbourProto named : join(datanode, List.of(), traffic).getNeighboursList()) {
        String host = named.getPeer().getDatanodeUuid();
        if (named.getRole() == Role.RECEIVER && visitors.add(host, 1) < NEIGHBOURS) {
          join(host, List.of(datanode), traffic);
        }
      }
    }
    for (int round = 1; round <= ANNOUNCEMENTS; round++) {
      for (int peer = 0; peer < peers; peer++) {
        AnnounceProto announcement = announcement(peer, round);
        traffic.bytes +=
            announcement.toByteArray().length + swarms.announce(announcement).toByteArray().length;
      }
      swarms.sweep();
    }
    return swarms.peers().size();
  }

  private static PeerProto peer(String datanode) {
    return PeerProto.newBuilder().setDatanodeUuid(datanode).setPort(8121).build();
  }

  private static BlockProto block() {
    return BlockProto.newBuilder()
        .setId(BLOCK.id())
        .setGenerationStamp(BLOCK.generationStamp())
        .setLength(1 << 30)
        .build();
  }

  private JoinResponseProto join(String datanode, List<String> claimed, Traffic traffic) {
    JoinProto join =
        JoinProto.newBuilder()
            .setSelf(peer(datanode))
            .setBlockPool(BLOCK.pool())
            .setBlock(block())
            .addAllClaimed(claimed)
            .build();
    JoinResponseProto answer = swarms.join(join);
    traffic.bytes += join.toByteArray().length + answer.toByteArray().length;
    return answer;
  }

  private AnnounceProto announcement(int peer, int round) {
    SwarmProto.Builder swarm =
        SwarmProto.newBuilder()
            .setBlockPool(BLOCK.pool())
            .setFirstBlock(block())
            .setPieces(256)
            .setPresent(25 * round)
            .setBytesFromSeeds(round << 20)
            .setBytesFromPeers(round << 26)
            .setCorrupt(0);
    for (int neighbour = 1; neighbour <= Math.min(NEIGHBOURS, peers - 1); neighbour++) {
      swarm.addTransfers(
          TransferProto.newBuilder()
              .setFromUuid(datanodes[(peer + neighbour) % peers])
              .setBytes(4 << 20)
              .setMillis(100 + neighbour));
    }
    return AnnounceProto.newBuilder()
        .setSelf(peer(datanodes[peer]))
        .setTransmitted(100_000_000)
        .addSwarms(swarm)
        .build();
  }
}
