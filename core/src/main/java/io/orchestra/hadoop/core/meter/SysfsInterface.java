package io.orchestra.hadoop.core.meter;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * An interface as Linux shows it below {@code /sys/class/net}.
 *
 * <p>One interface only: summing all of them would count a packet twice on a bond, a bridge or a
 * VLAN. Used by one thread.
 */
public final class SysfsInterface implements InterfaceCounters {
  /** 1.6 Tbit/s. Some kernels print "unknown" as 4294967295. */
  private static final long FASTEST_MEGABITS = 1_600_000;

  private static final Path ROOT = Path.of("/sys/class/net");

  private final Path directory;
  private final Counter received;
  private final Counter transmitted;

  SysfsInterface(Path directory) {
    this.directory = directory;
    received = new Counter(directory.resolve("statistics/rx_bytes"));
    transmitted = new Counter(directory.resolve("statistics/tx_bytes"));
  }

  /**
   * A counter whose file stays open: to open one takes longer than to read it. From its beginning
   * the kernel tells what is true at that moment. Whoever uses it no more need not close it: the
   * JVM does.
   */
  private static final class Counter {
    private final Path path;

    /** Longer than any number. */
    private final byte[] text = new byte[64];

    /** Null before the first reading. */
    private RandomAccessFile file;

    private Counter(Path path) {
      this.path = path;
    }

    private long value() throws IOException {
      if (file != null) {
        try {
          return read();
        } catch (IOException e) {
          // The interface is gone; another may have its name by now.
        }
        file.close();
      }
      file = new RandomAccessFile(path.toFile(), "r");
      return read();
    }

    private long read() throws IOException {
      file.seek(0);
      int length = Math.max(0, file.read(text));
      return number(path, new String(text, 0, length, StandardCharsets.US_ASCII));
    }
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
    return new Reading(received.value(), transmitted.value(), System.nanoTime());
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
      Path file = directory.resolve("speed");
      long speed = number(file, Files.readString(file));
      return speed > 0 && speed <= FASTEST_MEGABITS
          ? OptionalLong.of(speed * 1_000_000 / 8)
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static long number(Path file, String text) throws IOException {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds '" + text.strip() + "', not a number", e);
    }
  }
}
