package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.collect.Sets;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerClient;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trackers in all NameNodes that the DataNode serves. Safe for concurrent use; calls are made
 * outside the lock.
 */
final class Trackers implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Trackers.class);

  private final DataNode datanode;
  private final Configuration conf;
  private final BroadcastConfig config;
  private final IntSupplier port;

  // Guarded by this.
  private final Map<InetSocketAddress, SwarmTrackerClient> clients = new LinkedHashMap<>();
  private final Set<InetSocketAddress> silent = new HashSet<>();
  private boolean closed;

  /**
   * @param port on which this host's peer listens
   */
  Trackers(DataNode datanode, Configuration conf, BroadcastConfig config, IntSupplier port) {
    this.datanode = datanode;
    this.conf = conf;
    this.config = config;
    this.port = port;
  }

  /** Follows the NameNodes as they come and go. */
  synchronized void retain(Set<InetSocketAddress> namenodes) throws IOException {
    for (InetSocketAddress gone : Sets.difference(clients.keySet(), namenodes).immutableCopy()) {
      clients.remove(gone).close();
      silent.remove(gone);
    }
    for (InetSocketAddress namenode : namenodes) {
      if (!closed && !clients.containsKey(namenode)) {
        InetSocketAddress tracker =
            NetUtils.createSocketAddrForHost(namenode.getHostString(), config.trackerPort());
        clients.put(namenode, new SwarmTrackerClient(conf, tracker, config.joinTimeout()));
      }
    }
  }

  /** Asks each tracker that answers of late, until one knows the block. */
  JoinResponseProto join(BlockKey block, String path) {
    JoinProto request =
        JoinProto.newBuilder()
            .setSelf(self())
            .setBlockPool(block.pool())
            .setBlock(
                BlockProto.newBuilder()
                    .setId(block.id())
                    .setGenerationStamp(block.generationStamp())
                    .setLength(0))
            .setPath(path)
            .build();
    JoinResponseProto last = declined("no tracker answers");
    for (Map.Entry<InetSocketAddress, SwarmTrackerClient> tracker : answering()) {
      try {
        last = tracker.getValue().join(request);
        if (!last.getElsewhere()) {
          return last;
        }
      } catch (IOException e) {
        silent(tracker.getKey(), e);
      }
    }
    return last;
  }

  private PeerProto self() {
    return PeerProto.newBuilder()
        .setDatanodeUuid(datanode.getDatanodeUuid())
        .setPort(port.getAsInt())
        .build();
  }

  private static JoinResponseProto declined(String reason) {
    return JoinResponseProto.newBuilder().setDeclined(reason).build();
  }

  /**
   * Tells all trackers what this host has, also those that did not answer of late.
   *
   * @param transmitted bytes per second this host sends, if that is known
   * @return first blocks of the files that a tracker wants to be told about
   */
  Set<Long> announce(List<SwarmProto> swarms, OptionalLong transmitted) {
    AnnounceProto.Builder said = AnnounceProto.newBuilder().setSelf(self()).addAllSwarms(swarms);
    transmitted.ifPresent(said::setTransmitted);
    AnnounceProto announcement = said.build();
    Set<Long> unknown = new HashSet<>();
    for (Map.Entry<InetSocketAddress, SwarmTrackerClient> tracker : all()) {
      try {
        unknown.addAll(tracker.getValue().announce(announcement).getUnknownList());
        heard(tracker.getKey());
      } catch (IOException e) {
        silent(tracker.getKey(), e);
      }
    }
    return unknown;
  }

  private synchronized List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> all() {
    return new ArrayList<>(Map.copyOf(clients).entrySet());
  }

  private synchronized List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> answering() {
    List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> answering = all();
    answering.removeIf(tracker -> silent.contains(tracker.getKey()));
    return answering;
  }

  private synchronized void heard(InetSocketAddress namenode) {
    if (silent.remove(namenode)) {
      LOG.info("The swarm tracker at {} answers again", namenode.getHostString());
    }
  }

  private synchronized void silent(InetSocketAddress namenode, IOException cause) {
    if (!closed && silent.add(namenode)) {
      LOG.warn(
          "No swarm tracker answers at {}: {}. Trying on; localizers read from HDFS meanwhile",
          namenode.getHostString(),
          cause.toString());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    clients.values().forEach(SwarmTrackerClient::close);
    clients.clear();
  }
}
