package io.orchestra.hadoop.prefetch.traffic;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.base.Splitter;
import com.google.common.primitives.Longs;
import io.orchestra.hadoop.core.meter.SysfsInterface;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Gives flows minimum rates on this host's network devices, for one user who may not do so himself.
 * Runs as root, and does nothing but change the rates and filters of classes it has made, on
 * devices named on its command line. Serves one client at a time; when that is gone its rates are
 * too. Ends with status 1 and a message if it cannot begin, also since another one has its socket
 * or one of its devices, and leaves the devices as they were.
 *
 * <p>{@code TrafficHelper SOCKET USER NAME=DEVICE=BITS…}: where clients connect, who may, and the
 * devices with the rates of their links.
 */
public final class TrafficHelper {
  private static final String USAGE =
      "usage: TrafficHelper SOCKET USER NAME=DEVICE=BITS... (bits per second of the link)";

  private final Map<String, HtbPort> ports;
  private final String user;

  @VisibleForTesting
  TrafficHelper(Map<String, HtbPort> ports, String user) {
    this.ports = ports;
    this.user = user;
  }

  public static void main(String[] arguments) {
    // What it writes is read by tc.
    Locale.setDefault(Locale.ROOT);
    try {
      run(List.of(arguments));
    } catch (IOException | RuntimeException e) {
      say(e.getMessage());
      System.exit(1);
    }
  }

  private static void run(List<String> arguments) throws IOException {
    if (arguments.size() < 3) {
      throw new IllegalArgumentException(USAGE);
    }
    Map<String, HtbPort> ports = ports(Tc.find(), arguments.subList(2, arguments.size()));
    Path socket = SocketPlace.verified(Path.of(arguments.get(0)));
    List<String> devices = ports.values().stream().map(HtbPort::device).toList();
    Claims claims = Claims.of(socket, devices);
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      Files.deleteIfExists(socket);
      listener.bind(UnixDomainSocketAddress.of(socket));
      // The kernel says who has connected.
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
      List<HtbPort> begun = new ArrayList<>();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(begun, claims)));
      begin(ports.values(), begun);
      System.out.println("ready");
      new TrafficHelper(ports, arguments.get(1)).serve(listener);
    }
  }

  /**
   * @param arguments {@code NAME=DEVICE=BITS} each
   * @return by name
   */
  @VisibleForTesting
  static Map<String, HtbPort> ports(Tc tc, List<String> arguments) {
    Map<String, HtbPort> ports = new LinkedHashMap<>();
    Set<String> devices = new HashSet<>();
    for (String argument : arguments) {
      List<String> parts = Splitter.on('=').splitToList(argument);
      if (parts.size() != 3) {
        throw new IllegalArgumentException("'%s'; %s".formatted(argument, USAGE));
      }
      Long rate = Longs.tryParse(parts.get(2));
      if (rate == null) {
        throw new IllegalArgumentException(
            "'%s' is no number of bits per second; %s".formatted(parts.get(2), USAGE));
      }
      HtbPort port = new HtbPort(tc, parts.get(1), rate);
      if (ports.putIfAbsent(parts.get(0), port) != null || !devices.add(port.device())) {
        throw new IllegalArgumentException(
            "'%s': its name or its device is that of another one; %s".formatted(argument, USAGE));
      }
    }
    return ports;
  }

  /** Who is told to end meanwhile waits for all of them. */
  private static void begin(Collection<HtbPort> ports, List<HtbPort> begun) throws IOException {
    synchronized (begun) {
      for (HtbPort port : ports) {
        port.warning(speed(port.device())).ifPresent(TrafficHelper::say);
        port.begin();
        begun.add(port);
      }
    }
  }

  /** Bits per second; empty if the kernel does not know, as of most virtual devices. */
  private static OptionalLong speed(String device) {
    try {
      OptionalLong bytes = SysfsInterface.named(device).linkCapacity();
      return bytes.isPresent()
          ? OptionalLong.of(bytes.getAsLong() * Byte.SIZE)
          : OptionalLong.empty();
    } catch (IOException e) {
      // If there is no such device tc will say so.
      return OptionalLong.empty();
    }
  }

  /** Others may have the devices only after that. */
  private static void end(List<HtbPort> begun, Claims claims) {
    synchronized (begun) {
      begun.forEach(port -> guarded(port::end));
    }
    guarded(claims::close);
  }

  @FunctionalInterface
  private interface Change {
    void apply() throws IOException;
  }

  /** Other ports are no worse for it. */
  private static void guarded(Change change) {
    try {
      change.apply();
    } catch (IOException | RuntimeException e) {
      say(e.getMessage());
    }
  }

  /** To whoever looks after this host. */
  static void say(String words) {
    System.err.println("orchestra traffic helper: " + words);
  }

  @VisibleForTesting
  void serve(ServerSocketChannel listener) {
    while (listener.isOpen()) {
      try (SocketChannel client = listener.accept()) {
        // Perhaps that could not be done when the last one went.
        clear();
        converse(client);
      } catch (IOException e) {
        say(e.getMessage());
      }
      clear();
    }
  }

  private void clear() {
    for (HtbPort port : ports.values()) {
      guarded(port::clear);
    }
  }

  private void converse(SocketChannel client) throws IOException {
    String caller = client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    if (!caller.equals(user)) {
      answer(client, "refused: %s is not %s".formatted(caller, user));
      return;
    }
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(client), StandardCharsets.US_ASCII));
    for (String line = line(lines); !line.isEmpty(); line = line(lines)) {
      answer(client, done(line));
    }
  }

  /** Empty at the end; never longer than a client's longest, whatever it sends. */
  private static String line(BufferedReader lines) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = lines.read(); next >= 0 && next != '\n'; next = lines.read()) {
      line.append((char) next);
      if (line.length() > Shape.LONGEST_LINE) {
        throw new IOException("a line that does not end");
      }
    }
    return line.toString();
  }

  private String done(String line) {
    try {
      Shape shape = Shape.parse(line);
      HtbPort port = ports.get(shape.port());
      if (port == null) {
        return "refused: there is no port %s".formatted(shape.port());
      }
      port.apply(shape);
      return "ok";
    } catch (IOException | RuntimeException e) {
      return "refused: " + String.valueOf(e.getMessage()).replace('\n', ' ');
    }
  }

  private static void answer(SocketChannel client, String words) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(words + "\n");
    while (bytes.hasRemaining()) {
      client.write(bytes);
    }
  }
}
