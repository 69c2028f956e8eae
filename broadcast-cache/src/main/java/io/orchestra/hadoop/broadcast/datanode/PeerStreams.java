package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.net.HostAndPort;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.blockcache.DataTransfer;
import io.orchestra.hadoop.core.blockcache.PieceSink;
import io.orchestra.hadoop.core.blockcache.ReadPause;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferServer;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.security.token.Token;

/**
 * A connection between two peers, after the handshake that HDFS's own data transfers make: none,
 * SASL, or with encryption.
 */
final class PeerStreams implements Closeable {
  private static final int BUFFER = 64 << 10;

  /** For every thread the JDK keeps a direct buffer as long as its longest read or write was. */
  private static final int LONGEST_COPY = 128 << 10;

  private final SocketChannel channel;
  private final Peer peer;
  private final InputStream in;
  private final boolean mayPause;
  private final OutputStream out;

  /**
   * @param in after the handshake, like {@code out}
   */
  @VisibleForTesting
  PeerStreams(SocketChannel channel, Peer peer, InputStream in, OutputStream out) {
    this.channel = channel;
    this.peer = peer;
    this.in = new BufferedInputStream(in, BUFFER);
    mayPause = ReadPause.suits(in);
    this.out = out;
  }

  /**
   * @param handshakes as the DataNode makes them with those who connect to it
   * @param self the DataNode
   * @param timeout of each read and write, and of the handshake's
   * @throws IOException if the other side does not make the handshake that HDFS is configured for
   */
  static PeerStreams accepted(
      SaslDataTransferServer handshakes, DatanodeID self, SocketChannel channel, Duration timeout)
      throws IOException {
    Socket socket = channel.socket();
    int port = socket.getLocalPort();
    Peer peer = DFSUtilClient.peerFromSocket(socket);
    try {
      setTimeout(peer, timeout);
      IOStreamPair streams =
          handshakes.receive(peer, peer.getOutputStream(), peer.getInputStream(), port, self);
      return new PeerStreams(channel, peer, streams.in, streams.out);
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  /**
   * @param block that {@code token} allows to read
   * @param timeout of connecting, and of each read and write
   */
  static PeerStreams connect(
      DataNode datanode,
      PeerAddress to,
      ExtendedBlock block,
      Token<BlockTokenIdentifier> token,
      Duration timeout)
      throws IOException {
    if (to.port() < BroadcastConfig.FIRST_UNPRIVILEGED_PORT) {
      // HDFS would make no handshake.
      throw new IOException("%s has a privileged port".formatted(to));
    }
    DatanodeID peerId = new DatanodeID(to.host(), to.host(), to.datanode(), to.port(), 0, 0, 0);
    SocketChannel channel = SocketChannel.open();
    Peer peer = new DataTransfer(datanode, timeout).connect(channel, peerId, block, token);
    try {
      return new PeerStreams(channel, peer, peer.getInputStream(), peer.getOutputStream());
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private static void setTimeout(Peer peer, Duration timeout) throws IOException {
    int millis = Math.toIntExact(timeout.toMillis());
    peer.setReadTimeout(millis);
    peer.setWriteTimeout(millis);
  }

  InputStream in() {
    return in;
  }

  /** Whether whoever reads may leave what comes for a while: see {@link ReadPause#suits}. */
  boolean mayPause() {
    return mayPause;
  }

  OutputStream out() {
    return out;
  }

  String remote() {
    return peer.getRemoteAddressString();
  }

  /** The address alone. */
  String remoteHost() {
    return HostAndPort.fromString(remote().substring(remote().indexOf('/') + 1)).getHost();
  }

  void readTimeout(Duration timeout) throws IOException {
    peer.setReadTimeout(Math.toIntExact(timeout.toMillis()));
  }

  /** Straight from the file to the network where no protection applies. */
  PieceSink sink() {
    return out instanceof SocketOutputStream plain ? plain::transferToFully : copyTo(out);
  }

  static PieceSink copyTo(OutputStream out) {
    return (file, position, length) -> {
      ByteBuffer some = ByteBuffer.allocate(Math.min(LONGEST_COPY, length));
      long end = position + length;
      for (long at = position; at < end; at += some.limit()) {
        some.clear().limit((int) Math.min(some.capacity(), end - at));
        while (some.hasRemaining()) {
          if (file.read(some, at + some.position()) < 0) {
            throw new EOFException("a block ends at " + (at + some.position()));
          }
        }
        out.write(some.array(), 0, some.limit());
      }
      out.flush();
    };
  }

  /** From any thread: the one that reads fails, and then closes this. */
  void end() throws IOException {
    try {
      // By itself, to close wakes nobody who waits for bytes of one that is silent.
      channel.shutdownInput();
    } finally {
      channel.close();
    }
  }

  /** By the thread that reads: an encrypted connection frees what it decrypts in. */
  @Override
  public void close() throws IOException {
    peer.close();
  }
}
