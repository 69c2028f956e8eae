package io.orchestra.hadoop.prefetch;

import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal;
import java.time.Duration;
import java.util.List;

/** Which blocks are brought, and at which rates. */
final class FetchingSettings {
  private static final Setting<Boolean> FETCH =
      Setting.flag(
          PrefetchConfig.PREFIX + "fetch",
          true,
          "Off: launches are foretold, for the metrics, and no block is brought anywhere.");

  private static final Setting<Boolean> CONFIRMED =
      Setting.flag(
          PrefetchConfig.PREFIX + "confirmed",
          false,
          "Whether blocks are also brought for tasks that have just got their containers, while"
              + " their JVMs start.");

  private static final Setting<Cardinal.Mode> CARDINAL =
      Setting.choice(
          PrefetchConfig.PREFIX + "cardinal",
          Cardinal.Mode.class,
          "preemptive",
          "Who goes first. `preemptive`: who is launched first gets all that links have for"
              + " prefetches, and the next what is left. With `literal` and `improved` each gets the"
              + " rate at which it is just in time, or is refused, and where a link has no room for"
              + " another the less critical are abandoned: as the paper says to the letter, or"
              + " counting also what is free. With `off` nobody waits for a link, and nothing is paced.");

  private static final Setting<Double> STEADINESS =
      Setting.decimal(
          PrefetchConfig.PREFIX + "steadiness",
          "0.2",
          0,
          10,
          "Part of the time left until a launch for which it must have been foretold on the same host"
              + " before its input is brought there: with 0.2 for ten seconds if it is 50 seconds"
              + " ahead. What was brought in vain took links from others. With 0 it is brought at"
              + " once, as in the paper.");

  private static final Setting<Duration> READ_DELAY =
      Setting.duration(
          PrefetchConfig.PREFIX + "read-delay",
          "1s",
          Duration.ZERO,
          Duration.ofMinutes(1),
          "Time from the launch of a task to its first read: so long a block may come later.");

  private static final Setting<Double> READING_SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "reading-share",
          "0.5",
          0,
          1,
          "Part of the time that a map is expected to take in which its block may still come: maps"
              + " read in order. With 0 all of it must be there when the map begins to read, as in"
              + " the paper.");

  private static final Setting<Double> USABLE_SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "usable-share",
          "0.9",
          0.01,
          1,
          "Part of each link that all prefetches together may take.");

  private static final Setting<Double> YIELD_SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "yield-share",
          "1",
          0,
          1,
          "Part of a link's other traffic that prefetches leave alone with `pacing`, and with `tc` where no"
              + " device answers: with 1 they"
              + " take only what is idle. With less they share the rest of it with that traffic as"
              + " TCP does, with 0 all of it, as in the paper.");

  private static final Setting<Long> LINK_CAPACITY =
      Setting.rate(
          PrefetchConfig.PREFIX + "link-capacity",
          "",
          "Capacity of each host's link. Derived: what its network interface says, or 1gbit without a warning.");

  private static final Setting<Long> RACK_CAPACITY =
      Setting.rate(
          PrefetchConfig.PREFIX + "rack-capacity",
          "",
          "Capacity of the link from each rack's switch to the others. Derived: all of its hosts' links together.");

  /** In the order of the reference page. */
  static final List<Setting<?>> ALL =
      List.of(
          FETCH,
          CONFIRMED,
          CARDINAL,
          STEADINESS,
          READ_DELAY,
          READING_SHARE,
          USABLE_SHARE,
          YIELD_SHARE,
          LINK_CAPACITY,
          RACK_CAPACITY);

  private FetchingSettings() {}

  static PrefetchConfig.Fetching read(SettingReader reader) {
    return new PrefetchConfig.Fetching(
        reader.read(FETCH),
        reader.read(CONFIRMED),
        reader.read(CARDINAL),
        reader.read(STEADINESS),
        reader.read(READ_DELAY),
        reader.read(READING_SHARE),
        reader.read(USABLE_SHARE),
        reader.read(YIELD_SHARE),
        reader.readOptional(LINK_CAPACITY),
        reader.readOptional(RACK_CAPACITY));
  }
}
