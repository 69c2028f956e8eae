package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.TransferProto;
import io.orchestra.hadoop.core.daemon.NameNodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Tells the trackers that this peer is there and what it has, each time it runs. One thread. */
final class Announcer implements Runnable {
  private final DataNode datanode;
  private final NameNodes namenodes;
  private final Trackers trackers;
  private final Downloads downloads;
  private final UplinkMeter uplink;

  Announcer(DataNode datanode, Trackers trackers, Downloads downloads, UplinkMeter uplink) {
    this.datanode = datanode;
    this.trackers = trackers;
    this.downloads = downloads;
    this.uplink = uplink;
    namenodes = new NameNodes(datanode::getConf);
  }

  @Override
  public void run() {
    try {
      announce();
    } catch (IOException e) {
      throw new UncheckedIOException("this peer cannot tell the trackers that it is there", e);
    }
  }

  private void announce() throws IOException {
    Set<InetSocketAddress> addresses = namenodes.addresses();
    trackers.retain(addresses);
    // Before the first handshake the DataNode has no UUID.
    if (datanode.getDatanodeUuid() == null) {
      return;
    }
    Set<Long> unknown =
        trackers.announce(
            downloads.tracked().stream().map(Announcer::swarm).toList(), uplink.sample(addresses));
    downloads.tracked().stream()
        .filter(download -> unknown.contains(download.layout().name().id()))
        .forEach(downloads::joinAgain);
  }

  private static SwarmProto swarm(Download download) {
    FileLayout layout = download.layout();
    DownloadProgress progress = download.progress();
    SwarmProto.Builder swarm =
        SwarmProto.newBuilder()
            .setBlockPool(layout.name().pool())
            .setFirstBlock(
                BlockProto.newBuilder()
                    .setId(layout.name().id())
                    .setGenerationStamp(layout.name().generationStamp())
                    .setLength(layout.cut(0).blockLength()))
            .setPieces(progress.pieces())
            .setPresent(progress.present())
            .setBytesFromSeeds(progress.fromReplicas())
            .setBytesFromPeers(progress.fromPeers())
            .setCorrupt(progress.corrupted());
    progress
        .drainTransfers()
        .forEach(
            (datanode, transfer) ->
                swarm.addTransfers(
                    TransferProto.newBuilder()
                        .setFromUuid(datanode)
                        .setBytes(transfer.bytes())
                        .setMillis(transfer.nanos() / 1e6)));
    return swarm.build();
  }
}
