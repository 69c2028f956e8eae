package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoCodec;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.EncryptedPeer;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PausingPeerTest {
  private SocketChannel other;
  private Peer peer;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      peer = DFSUtilClient.peerFromSocket(SocketChannel.open(listener.getLocalAddress()).socket());
      other = listener.accept();
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    peer.close();
    other.close();
  }

  @Test
  void whatComesIsReadAsItWas() throws IOException {
    Peer pausing = PausingPeer.of(peer);
    assertThat(pausing.getInputStreamChannel()).isInstanceOf(PausingChannel.class);

    other.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    ByteBuffer target = ByteBuffer.allocate(3);
    while (target.hasRemaining()) {
      assertThat(pausing.getInputStreamChannel().read(target)).isPositive();
    }
    assertThat(target.array()).containsExactly(1, 2, 3);

    other.shutdownOutput();
    assertThat(pausing.getInputStreamChannel().read(target.clear())).isNegative();
    pausing.close();
    assertThat(peer.isClosed()).isTrue();
  }

  @Test
  void oneThatDecryptsALittleAtATimeStaysAsItIs() throws IOException {
    CryptoCodec codec = CryptoCodec.getInstance(new Configuration(false));
    byte[] key = new byte[16];
    InputStream nothing = new ByteArrayInputStream(new byte[0]);
    try (InputStream in = new CryptoInputStream(nothing, codec, key, key)) {
      Peer decrypting = new EncryptedPeer(peer, new IOStreamPair(in, peer.getOutputStream()));
      assertThat(decrypting.getInputStreamChannel()).isNotNull();
      assertThat(PausingPeer.of(decrypting)).isSameAs(decrypting);
    }
  }

  @Test
  void oneWithoutAChannelStaysAsItIs() throws IOException {
    InputStream in = new ByteArrayInputStream(new byte[1]);
    Peer streams = new EncryptedPeer(peer, new IOStreamPair(in, peer.getOutputStream()));
    assertThat(PausingPeer.of(streams)).isSameAs(streams);
  }
}
