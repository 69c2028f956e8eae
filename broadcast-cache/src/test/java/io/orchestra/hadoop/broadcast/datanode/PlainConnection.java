package io.orchestra.hadoop.broadcast.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferServer;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.DNConf;

/** A connection between peers of a cluster whose data transfers are not protected, and its ends. */
record PlainConnection(PeerStreams streams, Socket other) implements Closeable {

  static PlainConnection open() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = listener.socket().getLocalPort();
      Socket other = new Socket(InetAddress.getLoopbackAddress(), port);
      Configuration unprotected = new Configuration(false);
      SaslDataTransferServer handshakes =
          new SaslDataTransferServer(
              new DNConf(new Configured(unprotected)), new BlockPoolTokenSecretManager());
      DatanodeID self = new DatanodeID("127.0.0.1", "localhost", "a DataNode", port, 0, 0, 0);
      return new PlainConnection(
          PeerStreams.accepted(handshakes, self, listener.accept(), Duration.ofSeconds(30)), other);
    }
  }

  @Override
  public void close() throws IOException {
    streams.close();
    other.close();
  }
}
