package io.orchestra.hadoop.prefetch.traffic;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a client of the helper may ask for: a minimum rate for the packets to one port of one
 * address, or its end. A line each: {@code set PORT SLOT BITS ADDRESS TCP-PORT}, {@code clear PORT
 * SLOT}. Everything that tc is told later comes from these numbers.
 *
 * @param port name of one of the helper's ports
 * @param slot of that port, from 1
 * @param bitsPerSecond at least; 0 ends it
 * @param address an IPv4 address in dotted notation
 * @param tcpPort of the receiver
 */
public record Shape(String port, int slot, long bitsPerSecond, String address, int tcpPort) {
  /** Classes of each port that can be used at a time. */
  public static final int SLOTS = 63;

  static final int LONGEST_LINE = 200;

  private static final Pattern PORT = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
  private static final Pattern ADDRESS =
      Pattern.compile("(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");

  public Shape {
    check(isPort(port), "'%s' is no name of a port", port);
    check(slot >= 1 && slot <= SLOTS, "slot %s is not one of 1 to %s", slot, SLOTS);
    check(bitsPerSecond >= 0, "%s bits per second", bitsPerSecond);
    check(ADDRESS.matcher(address).matches(), "'%s' is no IPv4 address", address);
    check(tcpPort >= 1 && tcpPort <= 65535, "%s is no TCP port", tcpPort);
  }

  /** Whether a port may be called that. */
  public static boolean isPort(String name) {
    return PORT.matcher(name).matches();
  }

  /** The end of what was set. */
  public static Shape clear(String port, int slot) {
    return new Shape(port, slot, 0, "0.0.0.0", 1);
  }

  boolean isClear() {
    return bitsPerSecond == 0;
  }

  /**
   * @throws IllegalArgumentException that says what is wrong with the line
   */
  static Shape parse(String line) {
    check(line.length() <= LONGEST_LINE, "a line of %s characters", line.length());
    List<String> words = Splitter.on(' ').splitToList(line);
    String verb = words.get(0);
    if (verb.equals("clear") && words.size() == 3) {
      return clear(words.get(1), Math.toIntExact(number(words.get(2))));
    }
    check(verb.equals("set") && words.size() == 6, "'%s' is neither set nor clear", line);
    long bits = number(words.get(3));
    check(bits > 0, "a rate of %s", bits);
    return new Shape(
        words.get(1),
        Math.toIntExact(number(words.get(2))),
        bits,
        words.get(4),
        Math.toIntExact(number(words.get(5))));
  }

  private static long number(String word) {
    check(NUMBER.matcher(word).matches(), "'%s' is no number", word);
    return Long.parseLong(word);
  }

  private static void check(boolean holds, String complaint, Object... values) {
    if (!holds) {
      throw new IllegalArgumentException(complaint.formatted(values));
    }
  }

  String line() {
    return isClear()
        ? String.format(Locale.ROOT, "clear %s %d", port, slot)
        : String.format(
            Locale.ROOT, "set %s %d %d %s %d", port, slot, bitsPerSecond, address, tcpPort);
  }
}
