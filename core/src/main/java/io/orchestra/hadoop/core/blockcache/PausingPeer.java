package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ReadableByteChannel;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.net.unix.DomainSocket;

/**
 * A connection through which HDFS's block reader reads a packet in a few steps, not as often as the
 * network brings some of it: see {@link ReadPause}. All else is the connection's own.
 */
final class PausingPeer implements Peer {
  private final Peer peer;
  private final ReadableByteChannel channel;

  private PausingPeer(Peer peer) {
    this.peer = peer;
    channel = new PausingChannel(peer.getInputStreamChannel());
  }

  /** The connection itself where pauses would not suit it. */
  static Peer of(Peer peer) {
    ReadableByteChannel channel = peer.getInputStreamChannel();
    return channel != null && ReadPause.suits(channel) ? new PausingPeer(peer) : peer;
  }

  @Override
  public ReadableByteChannel getInputStreamChannel() {
    return channel;
  }

  @Override
  public void setReadTimeout(int timeoutMs) throws IOException {
    peer.setReadTimeout(timeoutMs);
  }

  @Override
  public int getReceiveBufferSize() throws IOException {
    return peer.getReceiveBufferSize();
  }

  @Override
  public boolean getTcpNoDelay() throws IOException {
    return peer.getTcpNoDelay();
  }

  @Override
  public void setWriteTimeout(int timeoutMs) throws IOException {
    peer.setWriteTimeout(timeoutMs);
  }

  @Override
  public boolean isClosed() {
    return peer.isClosed();
  }

  @Override
  public void close() throws IOException {
    peer.close();
  }

  @Override
  public String getRemoteAddressString() {
    return peer.getRemoteAddressString();
  }

  @Override
  public String getLocalAddressString() {
    return peer.getLocalAddressString();
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return peer.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return peer.getOutputStream();
  }

  @Override
  public boolean isLocal() {
    return peer.isLocal();
  }

  @Override
  public DomainSocket getDomainSocket() {
    return peer.getDomainSocket();
  }

  @Override
  public boolean hasSecureChannel() {
    return peer.hasSecureChannel();
  }

  @Override
  public String toString() {
    return peer.toString();
  }
}
