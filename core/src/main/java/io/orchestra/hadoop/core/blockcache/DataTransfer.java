package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/**
 * Connections from one DataNode to another, with the handshake that HDFS is configured for in its
 * own data transfers: none, SASL, or with encryption (StripedBlockReader 144).
 */
public final class DataTransfer {
  private final DataNode datanode;
  private final Duration timeout;

  /**
   * @param datanode that connects
   * @param timeout of connecting, and of each read and write
   */
  public DataTransfer(DataNode datanode, Duration timeout) {
    this.datanode = datanode;
    this.timeout = timeout;
  }

  /**
   * @param to address and transfer port; the other names are for the handshake
   * @param block that {@code token} allows to read
   */
  public Peer connect(DatanodeID to, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    return connect(to, block, token, OptionalInt.empty());
  }

  /**
   * @param channel over which; closed if that fails. To close it ends whatever any thread does with
   *     the connection, and frees nothing that they use: an encrypted {@link Peer} must be closed
   *     by the thread that reads from it, as its buffers are no memory of Java's.
   */
  public Peer connect(
      SocketChannel channel, DatanodeID to, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    return connect(channel, to, block, token, OptionalInt.empty());
  }

  /**
   * @param localPort from which the connection is made, so that the network can tell it from others
   * @throws java.net.BindException if somebody else has that port
   */
  public Peer connect(
      DatanodeID to, ExtendedBlock block, Token<BlockTokenIdentifier> token, OptionalInt localPort)
      throws IOException {
    return connect(SocketChannel.open(), to, block, token, localPort);
  }

  private Peer connect(
      SocketChannel channel,
      DatanodeID to,
      ExtendedBlock block,
      Token<BlockTokenIdentifier> token,
      OptionalInt localPort)
      throws IOException {
    try {
      Socket socket = channel.socket();
      int millis = Math.toIntExact(timeout.toMillis());
      String address = to.getXferAddr(datanode.getDnConf().getConnectToDnViaHostname());
      connect(socket, NetUtils.createSocketAddr(address), localPort, millis);
      Peer peer =
          DFSUtilClient.peerFromSocketAndKey(
              datanode.getSaslClient(),
              socket,
              datanode.getDataEncryptionKeyFactoryForBlock(block),
              token,
              to,
              millis);
      peer.setWriteTimeout(millis);
      return peer;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @throws java.net.BindException if the port cannot be had: another socket listens there, or has
   *     a connection from there to the same address (EADDRNOTAVAIL, which only connecting finds
   *     out)
   */
  static void connect(Socket socket, InetSocketAddress to, OptionalInt localPort, int millis)
      throws IOException {
    if (localPort.isPresent()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(localPort.getAsInt()));
    }
    NetUtils.connect(socket, to, millis);
  }
}
