package io.orchestra.hadoop.prefetch.traffic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A network device whose outgoing packets are sorted into classes of minimum rates (FlexFetch,
 * section IV-B): one that takes everything, up to the rate of the link, and one for each slot,
 * which are made once and used again. What a class does not use others may, and first of all those
 * that are no flows. Used by one thread.
 */
final class HtbPort {
  /** A handle that nobody else uses, by which our own tree is known. */
  static final String HANDLE = "f1ec:";

  private static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,14}");
  private static final Pattern FREE =
      Pattern.compile("(?s)(|qdisc (noqueue|pfifo_fast|mq|fq_codel|fq|pfifo|bfifo) .*)");
  private static final int DEFAULT_CLASS = 2;
  private static final int FIRST_SLOT_CLASS = 0x10;
  private static final long LEAST_RATE = 8_000;
  private static final long LEAST_QUEUE = 256 << 10;
  private static final int QUEUES_PER_SECOND = 5;

  /** To whom goes what is left beyond all minimum rates: a flow could take all of it. */
  private static final int OTHERS_FIRST = 0;

  private static final int FLOWS_SECOND = 1;
  private static final long LARGEST_RATE = 1_000_000_000_000L;

  /** Part of the link that all slots together may be promised. */
  private static final double PROMISED = 0.97;

  private final Tc tc;
  private final String device;
  private final long linkRate;
  private final Map<Integer, Long> rates = new HashMap<>();

  /**
   * @param linkRate bits per second
   */
  HtbPort(Tc tc, String device, long linkRate) {
    if (!DEVICE.matcher(device).matches()) {
      throw new IllegalArgumentException("'%s' is no network device".formatted(device));
    }
    if (linkRate < 100 * LEAST_RATE || linkRate > LARGEST_RATE) {
      throw new IllegalArgumentException(
          "%s has no link of %d bits per second".formatted(device, linkRate));
    }
    this.tc = tc;
    this.device = device;
    this.linkRate = linkRate;
  }

  /**
   * Makes the classes, all or none.
   *
   * @throws IOException if somebody else, such as the NodeManager, has classes there already, or tc
   *     fails
   */
  void begin() throws IOException {
    String queues = tc.show(device);
    if (isOurs(queues)) {
      // Of a helper that was killed.
      end();
    } else if (!FREE.matcher(queues).matches()) {
      throw new IOException(
          "%s has queues of somebody else, who would lose them: %s"
              .formatted(device, queues.lines().findFirst().orElse("")));
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "qdisc add dev %s root handle %s htb default %d".formatted(device, HANDLE, DEFAULT_CLASS));
    lines.add(node("add", "", 1, linkRate, OTHERS_FIRST));
    lines.add(node("add", "1", DEFAULT_CLASS, Math.max(LEAST_RATE, linkRate / 100), OTHERS_FIRST));
    lines.add(queue(DEFAULT_CLASS));
    for (int slot = 1; slot <= Shape.SLOTS; slot++) {
      lines.add(slot("add", slot, LEAST_RATE));
      lines.add(queue(FIRST_SLOT_CLASS + slot));
    }
    try {
      tc.batch(lines);
    } catch (IOException e) {
      undo(e);
      throw e;
    }
  }

  private static boolean isOurs(String queues) {
    return queues.startsWith("qdisc htb " + HANDLE);
  }

  /** Somebody else's may have come since the device was found free. */
  private void undo(IOException cause) {
    try {
      if (isOurs(tc.show(device))) {
        end();
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** A fifth of a second at the link's rate, and never less than a few large packets. */
  private String queue(int number) {
    return "qdisc add dev %s parent %s%x bfifo limit %d"
        .formatted(
            device,
            HANDLE,
            number,
            Math.max(LEAST_QUEUE, linkRate / Byte.SIZE / QUEUES_PER_SECOND));
  }

  private String slot(String verb, int slot, long rate) {
    return node(verb, "1", FIRST_SLOT_CLASS + slot, rate, FLOWS_SECOND);
  }

  private String node(String verb, String parent, int number, long rate, int priority) {
    return "class %s dev %s parent %s%s classid %s%x htb rate %dbit ceil %dbit prio %d burst 64k cburst 64k quantum 60000"
        .formatted(verb, device, HANDLE, parent, HANDLE, number, rate, linkRate, priority);
  }

  /**
   * @throws IllegalArgumentException if the link has no such rate left
   */
  void apply(Shape shape) throws IOException {
    int slot = shape.slot();
    List<String> lines = new ArrayList<>();
    if (rates.containsKey(slot)) {
      lines.add(noFilter(slot));
    }
    // A class without a filter has no traffic, so its rate takes nothing from others. It stays as
    // it is: what still waits there would be charged at a lower rate, for up to a minute (HTB's
    // mbuffer), and the next flow would find the class in debt.
    if (!shape.isClear()) {
      long others =
          rates.entrySet().stream()
              .filter(other -> other.getKey() != slot)
              .mapToLong(Map.Entry::getValue)
              .sum();
      if (shape.bitsPerSecond() > linkRate * PROMISED - others) {
        throw new IllegalArgumentException(
            "%s has %d bits per second, of which %d are promised"
                .formatted(shape.port(), linkRate, others));
      }
      lines.add(slot("change", slot, Math.max(LEAST_RATE, shape.bitsPerSecond())));
      lines.add(
          "filter add dev %s parent %s protocol ip pref %d u32 match ip protocol 6 0xff match ip dst %s/32 match ip dport %d 0xffff flowid %s%x"
              .formatted(
                  device,
                  HANDLE,
                  slot,
                  shape.address(),
                  shape.tcpPort(),
                  HANDLE,
                  FIRST_SLOT_CLASS + slot));
    }
    if (!lines.isEmpty()) {
      try {
        tc.batch(lines);
      } catch (IOException e) {
        forget(slot);
        throw e;
      }
    }
    if (shape.isClear()) {
      rates.remove(slot);
    } else {
      rates.put(slot, shape.bitsPerSecond());
    }
  }

  /** Whether a batch that failed has left its filter is not known. */
  private void forget(int slot) {
    rates.remove(slot);
    try {
      tc.batch(List.of(noFilter(slot)));
    } catch (IOException e) {
      // There was none.
    }
  }

  private String noFilter(int slot) {
    return "filter del dev %s parent %s pref %d".formatted(device, HANDLE, slot);
  }

  /** Ends what was set for a client that is gone. */
  void clear() throws IOException {
    if (!rates.isEmpty()) {
      tc.batch(List.of("filter del dev %s parent %s".formatted(device, HANDLE)));
      rates.clear();
    }
  }

  /** The device has the queue that the kernel gives to one without any. */
  void end() throws IOException {
    rates.clear();
    tc.batch(List.of("qdisc del dev %s root handle %s".formatted(device, HANDLE)));
  }
}
