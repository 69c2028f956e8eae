package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.ReplicasProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/** Replicas that a receiver may read as HDFS's clients do. */
final class NamedReplicas {
  /** Of a block; as many as a client tries. */
  private static final int MOST = 3;

  private NamedReplicas() {}

  /** Some of each block, other ones for each receiver. */
  static List<ReplicasProto> of(TrackedFile file, Random random) {
    ListMultimap<String, Integer> blocks = ArrayListMultimap.create();
    for (int block = 0; block < file.blocks().size(); block++) {
      List<String> holders = new ArrayList<>(file.blocks().get(block).replicas());
      Collections.shuffle(holders, random);
      for (String holder : holders.subList(0, Math.min(MOST, holders.size()))) {
        blocks.put(holder, block);
      }
    }
    List<ReplicasProto> replicas = new ArrayList<>();
    for (String holder : blocks.keySet()) {
      DatanodeID datanode = file.datanodes().get(holder);
      if (datanode != null) {
        replicas.add(
            ReplicasProto.newBuilder()
                .setDatanodeUuid(holder)
                .setAddress(datanode.getIpAddr())
                .setHostName(datanode.getHostName())
                .setTransferPort(datanode.getXferPort())
                .addAllBlocks(blocks.get(holder))
                .build());
      }
    }
    return replicas;
  }
}
