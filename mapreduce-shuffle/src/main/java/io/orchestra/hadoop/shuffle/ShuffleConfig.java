package io.orchestra.hadoop.shuffle;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.shuffle.algorithm.Gate;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the shuffle. NodeManagers read them from {@code yarn-site.xml}, reducers from the
 * job's configuration, and so from {@code mapred-site.xml}.
 *
 * @param enabled false makes all parts behave as stock
 * @param gate when a reducer weighs its senders
 * @param ranges whether large map outputs are fetched in ranges
 * @param sizeWait for which a map output waits at most until its size is known
 */
public record ShuffleConfig(boolean enabled, Gate gate, boolean ranges, Duration sizeWait) {

  public static final String PREFIX = "orchestra.shuffle.";

  /** A host that has not told sizes for so long is not waited for, whatever is set. */
  public static final Duration LONGEST_SIZE_WAIT = Duration.ofSeconds(5);

  private static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "`false` on a NodeManager: it serves map outputs as stock does, and nothing else. `false`"
              + " for a job: its reducers shuffle as stock.");
  private static final Setting<Gate> GATE =
      Setting.choice(
          PREFIX + "gate",
          Gate.class,
          "hot-sender",
          "When a reducer weighs hosts by how much they hold for it. `hot-sender`: while a host is"
              + " hot, that is, may be the bottleneck and holds unusually much for this reducer."
              + " `always`: in any case, and in plain proportion, as in the paper. `never`: for"
              + " comparison.");
  private static final Setting<Boolean> RANGES =
      Setting.flag(
          PREFIX + "ranges",
          true,
          "Whether several lanes may fetch a large map output together, in ranges. With encrypted"
              + " spills they never do.");

  private static final Setting<Duration> SIZE_WAIT =
      Setting.duration(
          PREFIX + "size-wait",
          "1s",
          Duration.ofMillis(1),
          LONGEST_SIZE_WAIT,
          "How long a map output waits for its host to tell its size. After that it is fetched as"
              + " from a host that tells no sizes.");

  /** All settings, in the order of the reference page. */
  public static final List<Setting<?>> SETTINGS = List.of(ENABLED, GATE, RANGES, SIZE_WAIT);

  /**
   * @throws InvalidConfigurationException that lists every value that cannot be used
   */
  public static ShuffleConfig from(Configuration conf) throws InvalidConfigurationException {
    SettingReader reader = new SettingReader(conf);
    ShuffleConfig config =
        new ShuffleConfig(
            reader.read(ENABLED), reader.read(GATE), reader.read(RANGES), reader.read(SIZE_WAIT));
    reader.verify(PREFIX, SETTINGS);
    return config;
  }
}
