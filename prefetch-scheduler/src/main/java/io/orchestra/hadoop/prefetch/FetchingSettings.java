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
          "Whether blocks are prefetched. `false`: launches are still predicted, for the metrics.");

  private static final Setting<Boolean> CONFIRMED =
      Setting.flag(
          PrefetchConfig.PREFIX + "confirmed",
          false,
          "Whether blocks are also prefetched for maps that have just got their containers, while"
              + " their JVMs start. Set it to `true` where containers wait for their jobs' files"
              + " before their maps can read.");

  private static final Setting<Cardinal.Mode> CARDINAL =
      Setting.choice(
          PrefetchConfig.PREFIX + "cardinal",
          Cardinal.Mode.class,
          "preemptive",
          "Which prefetch goes first. `preemptive`: the one whose map is launched first gets all"
              + " that its links have for prefetches, and the next one gets what is left. `literal`"
              + " and `improved`: each gets the rate at which it is just in time, or is refused,"
              + " and where a link has no room for another one, less critical ones are abandoned."
              + " `literal` follows the paper to the letter; `improved` also counts what is free."
              + " `off`: none waits for a link, and nothing is paced.");

  private static final Setting<Double> STEADINESS =
      Setting.decimal(
          PrefetchConfig.PREFIX + "steadiness",
          "0.2",
          0,
          10,
          "How long a launch must have been predicted on the same host before its block is"
              + " prefetched there, as a fraction of the time left until the launch: with `0.2`,"
              + " ten seconds for a launch 50 seconds ahead. This avoids useless prefetches, which"
              + " take links from others. `0`: blocks are prefetched at once, as in the paper.");

  private static final Setting<Double> LEAST_PRECISION =
      Setting.decimal(
          PrefetchConfig.PREFIX + "least-precision",
          "0.25",
          0,
          1,
          "While a smaller fraction of a user's last 16 launches came as they were predicted, no"
              + " prefetch begins for others of that user that are predicted. Launches count that"
              + " were predicted away from their input two seconds before, and four of them must"
              + " have come otherwise. `0`: blocks are prefetched however wrong predictions are.");

  private static final Setting<Duration> READ_DELAY =
      Setting.duration(
          PrefetchConfig.PREFIX + "read-delay",
          "1s",
          Duration.ZERO,
          Duration.ofMinutes(1),
          "The time that a task is assumed to take from its launch to its first read. Its block may"
              + " arrive that much later.");

  private static final Setting<Double> READING_SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "reading-share",
          "0.5",
          0,
          1,
          "The fraction of a map's expected running time during which its block may still arrive,"
              + " since maps read in order. `0`: all of the block must be there when the map begins"
              + " to read, as in the paper.");

  private static final Setting<Double> USABLE_SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "usable-share",
          "0.9",
          0.01,
          1,
          "The fraction of each link that all prefetches together may take. Lower it to leave more"
              + " to others.");

  private static final Setting<Double> YIELD_SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "yield-share",
          "1",
          0,
          1,
          "The fraction of a link's other traffic that prefetches leave alone. With `1` they take"
              + " only what is idle. Below that they share the rest with that traffic as TCP does;"
              + " with `0`, all of it, as in the paper. It applies with `pacing`, and with `tc`"
              + " where no device answers.");

  private static final Setting<Long> LINK_CAPACITY =
      Setting.rate(
          PrefetchConfig.PREFIX + "link-capacity",
          "",
          "The capacity of each host's link, the same for all hosts. If unset: the speed that each"
              + " interface states, or 1gbit without a warning. Set it on virtual machines and in"
              + " containers, whose interfaces do not state their speed.");

  private static final Setting<Long> RACK_CAPACITY =
      Setting.rate(
          PrefetchConfig.PREFIX + "rack-capacity",
          "",
          "The capacity of the link from each rack's switch to the others. If unset: the sum of its"
              + " hosts' links. Set it where racks are oversubscribed.");

  /** In the order of the reference page. */
  static final List<Setting<?>> ALL =
      List.of(
          FETCH,
          CONFIRMED,
          CARDINAL,
          STEADINESS,
          LEAST_PRECISION,
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
        reader.read(LEAST_PRECISION),
        reader.read(READ_DELAY),
        reader.read(READING_SHARE),
        reader.read(USABLE_SHARE),
        reader.read(YIELD_SHARE),
        reader.readOptional(LINK_CAPACITY),
        reader.readOptional(RACK_CAPACITY));
  }
}
