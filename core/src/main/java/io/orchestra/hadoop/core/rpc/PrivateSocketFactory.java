package io.orchestra.hadoop.core.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * A socket factory that equals only itself.
 *
 * <p>Hadoop keeps one RPC client for all equal socket factories of a process, with the time limits
 * of whoever came first ({@code ClientCache}). With a factory of our own our short limits stay
 * ours, and the daemon's stay the daemon's.
 */
final class PrivateSocketFactory extends SocketFactory {
  private final SocketFactory sockets;

  PrivateSocketFactory(SocketFactory sockets) {
    this.sockets = sockets;
  }

  @Override
  public Socket createSocket() throws IOException {
    return sockets.createSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return sockets.createSocket(host, port, localHost, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return sockets.createSocket(address, port, localAddress, localPort);
  }
}
