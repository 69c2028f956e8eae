package io.orchestra.hadoop.core.meter;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * An interface as Linux shows it below {@code /sys/class/net}.
 *
 * <p>One interface only: summing all of them would count a packet twice on a bond, a bridge or a
 * VLAN.
 */
public final class SysfsInterface implements InterfaceCounters {
  /** 1.6 Tbit/s. Some kernels print "unknown" as 4294967295. */
  private static final long FASTEST_MEGABITS = 1_600_000;

  private static final Path ROOT = Path.of("/sys/class/net");

  private final Path directory;

  SysfsInterface(Path directory) {
    this.directory = directory;
  }

  /**
   * @param name for example {@code eth0}
   * @throws IOException if there is no such interface, or its counters cannot be read
   */
  public static SysfsInterface named(String name) throws IOException {
    SysfsInterface found = new SysfsInterface(ROOT.resolve(name));
    found.read();
    return found;
  }

  /**
   * @param local an address of this host
   * @throws IOException if no interface has this address, or its counters cannot be read
   */
  public static SysfsInterface owning(InetAddress local) throws IOException {
    NetworkInterface owner = NetworkInterface.getByInetAddress(local);
    if (owner == null) {
      throw new IOException("no network interface of this host has address " + local);
    }
    // An alias such as eth0:1 has no counters of its own.
    String name = owner.getName();
    int colon = name.indexOf(':');
    return named(colon < 0 ? name : name.substring(0, colon));
  }

  /**
   * The interface this host would send from, found without sending: connecting a datagram socket
   * only looks up a route.
   *
   * @throws IOException if the name cannot be resolved, or leads to the loopback interface
   */
  public static SysfsInterface towards(InetSocketAddress host) throws IOException {
    if (host.isUnresolved()) {
      throw new IOException("the name " + host.getHostString() + " cannot be resolved");
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(host);
      InetAddress local = socket.getLocalAddress();
      if (local.isLoopbackAddress()) {
        throw new IOException(
            "the name " + host.getHostString() + " leads to this host's loopback interface");
      }
      return owning(local);
    }
  }

  public String name() {
    return directory.getFileName().toString();
  }

  @Override
  public Reading read() throws IOException {
    return new Reading(
        number("statistics/rx_bytes"), number("statistics/tx_bytes"), System.nanoTime());
  }

  /**
   * How fast its link is.
   *
   * @return bytes per second; empty when the interface does not know
   */
  public OptionalLong linkCapacity() {
    try {
      // Megabits per second. Virtual interfaces answer -1, an error, or a figure that means
      // nothing.
      long speed = number("speed");
      return speed > 0 && speed <= FASTEST_MEGABITS
          ? OptionalLong.of(speed * 1_000_000 / 8)
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private long number(String file) throws IOException {
    String text = Files.readString(directory.resolve(file)).strip();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(directory.resolve(file) + " holds '" + text + "', not a number", e);
    }
  }
}
