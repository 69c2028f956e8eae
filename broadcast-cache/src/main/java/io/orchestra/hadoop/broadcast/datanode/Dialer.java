package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.HelloProto;
import io.orchestra.hadoop.core.blockcache.RemoteReplica;
import io.orchestra.hadoop.core.daemon.LogText;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to neighbours, each on a thread of its own, which then listens to it. */
final class Dialer {
  private static final Logger LOG = LoggerFactory.getLogger(Dialer.class);

  private final DataNode datanode;
  private final BroadcastConfig config;
  private final Executor threads;
  private final BlockHello hello;

  Dialer(DataNode datanode, BroadcastConfig config, Executor threads) {
    this.datanode = datanode;
    this.config = config;
    this.threads = threads;
    hello = new BlockHello(datanode);
  }

  /** Returns at once. */
  void connect(Download download, Introduction to) {
    threads.execute(() -> converse(download, to));
  }

  private void converse(Download download, Introduction to) {
    PeerAddress address = to.address();
    FileLayout layout = download.layout();
    NeighbourConnection neighbour;
    HelloProto greeting;
    try {
      greeting = hello.of(layout, download.mutual());
      ExtendedBlock first = layout.extended(0);
      PeerStreams streams =
          PeerStreams.connect(
              datanode,
              address,
              first,
              RemoteReplica.token(datanode, first),
              config.stallTimeout());
      neighbour = new NeighbourConnection(to, streams, layout, download.buffers());
    } catch (IOException | RuntimeException | Error e) {
      LOG.info("{} cannot be asked for {}: {}", address, layout, LogText.of(e.toString()));
      download.acquaintances().notConnected(address.datanode());
      return;
    }
    try (neighbour) {
      if (download.acquaintances().connected(neighbour)) {
        neighbour.run(greeting, download);
      }
    } catch (IOException e) {
      LOG.debug("{} left", address, e);
    } catch (RuntimeException | Error e) {
      LOG.warn("Receiving from {} failed", address, e);
    } finally {
      download.left(neighbour);
    }
  }
}
