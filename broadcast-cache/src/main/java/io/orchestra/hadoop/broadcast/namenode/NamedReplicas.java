package io.orchestra.hadoop.broadcast.namenode;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockHoldersProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.HolderProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Replicas that a receiver may read as HDFS's clients do. */
final class NamedReplicas {
  /** Of a block; as many as a client tries. */
  private static final int MOST = 3;

  private final TrackedFile file;
  private final String rack;
  private final Random random;

  /**
   * @param rack of the receiver
   */
  NamedReplicas(TrackedFile file, String rack, Random random) {
    this.file = file;
    this.rack = rack;
    this.random = random;
  }

  /** Some of each block, those in the receiver's rack first, and in no order besides. */
  void addTo(JoinResponseProto.Builder response) {
    Map<String, Integer> named = new LinkedHashMap<>();
    for (TrackedFile.TrackedBlock block : file.blocks()) {
      BlockHoldersProto.Builder holders = BlockHoldersProto.newBuilder();
      for (String holder : nearest(block)) {
        holders.addHolders(named.computeIfAbsent(holder, newcomer -> named.size()));
      }
      response.addBlockHolders(holders);
    }
    named.keySet().forEach(holder -> response.addHolders(proto(holder)));
    response.setReplication(file.replication());
  }

  private List<String> nearest(TrackedFile.TrackedBlock block) {
    List<String> holders = new ArrayList<>(block.replicas());
    Collections.shuffle(holders, random);
    holders.sort(Comparator.comparing(holder -> !file.holders().get(holder).rack().equals(rack)));
    return holders.subList(0, Math.min(MOST, holders.size()));
  }

  private HolderProto proto(String uuid) {
    TrackedFile.Holder holder = file.holders().get(uuid);
    return HolderProto.newBuilder()
        .setDatanodeUuid(uuid)
        .setAddress(holder.address())
        .setHostName(holder.hostName())
        .setTransferPort(holder.transferPort())
        .build();
  }
}
