package io.orchestra.hadoop.prefetch.traffic;

import com.google.common.primitives.Longs;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What tc is told of the classes of one device.
 *
 * @param linkRate bits per second
 */
record HtbTree(String device, long linkRate) {
  /** A handle that nobody else uses, by which our own tree is known. */
  private static final String HANDLE = "f1ec:";

  private static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,14}");
  private static final Pattern FREE =
      Pattern.compile("(?s)(|qdisc (noqueue|pfifo_fast|mq|fq_codel|fq|pfifo|bfifo) .*)");
  private static final int DEFAULT_CLASS = 2;
  private static final int FIRST_SLOT_CLASS = 0x10;
  private static final long LEAST_RATE = 8_000;
  private static final long LARGEST_RATE = 1_000_000_000_000L;
  private static final long LEAST_QUEUE = 256 << 10;

  /** The kernel counts in 32 bits, and adds a packet before it compares. */
  private static final long LARGEST_QUEUE = Integer.MAX_VALUE;

  private static final int QUEUES_PER_SECOND = 5;
  private static final long LEAST_BURST = 64 << 10;
  private static final int BURSTS_PER_SECOND = 1000;

  /** To whom goes what is left beyond all minimum rates: a flow could take all of it. */
  private static final int OTHERS_FIRST = 0;

  private static final int FLOWS_SECOND = 1;

  HtbTree {
    if (!DEVICE.matcher(device).matches()) {
      throw new IllegalArgumentException("'%s' is no network device".formatted(device));
    }
    if (linkRate < 100 * LEAST_RATE || linkRate > LARGEST_RATE) {
      throw new IllegalArgumentException(
          "%s has no link of %d bits per second".formatted(device, linkRate));
    }
  }

  /**
   * @param queues of the device, as tc shows them
   */
  static boolean isOurs(String queues) {
    return queues.startsWith("qdisc htb " + HANDLE);
  }

  /** Whether a device has nothing but a queue of the kernel. */
  static boolean isFree(String queues) {
    return FREE.matcher(queues).matches();
  }

  List<String> begin() {
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
    return lines;
  }

  String end() {
    return "qdisc del dev %s root handle %s".formatted(device, HANDLE);
  }

  /** A fifth of a second at the link's rate, and never less than a few large packets. */
  private String queue(int number) {
    return "qdisc add dev %s parent %s%x bfifo limit %d"
        .formatted(
            device,
            HANDLE,
            number,
            Longs.constrainToRange(
                linkRate / Byte.SIZE / QUEUES_PER_SECOND, LEAST_QUEUE, LARGEST_QUEUE));
  }

  private String slot(String verb, int slot, long rate) {
    return node(verb, "1", FIRST_SLOT_CLASS + slot, rate, FLOWS_SECOND);
  }

  private String node(String verb, String parent, int number, long rate, int priority) {
    return "class %s dev %s parent %s%s classid %s%x htb rate %dbit ceil %dbit prio %d burst %d cburst %d quantum 60000"
        .formatted(
            verb,
            device,
            HANDLE,
            parent,
            HANDLE,
            number,
            rate,
            linkRate,
            priority,
            burst(rate),
            burst(linkRate));
  }

  /**
   * Bytes that go at once: of a thousandth of a second, so that a kernel that looks no more often
   * still gives a fast class all of its rate. They go by the class's own rate, since tc says in 32
   * bits how long they take at that.
   */
  private static long burst(long rate) {
    return Math.max(LEAST_BURST, rate / Byte.SIZE / BURSTS_PER_SECOND);
  }

  /** Of the class of its slot. */
  String rate(Shape shape) {
    return slot("change", shape.slot(), Math.max(LEAST_RATE, shape.bitsPerSecond()));
  }

  /** Leads its packets to the class of its slot. */
  String filter(Shape shape) {
    return "filter add dev %s parent %s protocol ip pref %d u32 match ip protocol 6 0xff match ip dst %s/32 match ip dport %d 0xffff flowid %s%x"
        .formatted(
            device,
            HANDLE,
            shape.slot(),
            shape.address(),
            shape.tcpPort(),
            HANDLE,
            FIRST_SLOT_CLASS + shape.slot());
  }

  String noFilter(int slot) {
    return "filter del dev %s parent %s pref %d".formatted(device, HANDLE, slot);
  }

  /** Of no slot. */
  String noFilters() {
    return "filter del dev %s parent %s".formatted(device, HANDLE);
  }
}
