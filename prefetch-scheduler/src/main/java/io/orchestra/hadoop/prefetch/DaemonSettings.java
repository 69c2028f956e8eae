package io.orchestra.hadoop.prefetch;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.CharMatcher;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import java.time.Duration;
import java.util.List;

/** Daemons of DataNodes, and how they and the coordinator find each other. */
final class DaemonSettings {
  private static final Setting<Integer> DAEMON_PORT =
      Setting.integer(
          PrefetchConfig.PREFIX + "daemon.port",
          "8124",
          0,
          65535,
          "The port on which DataNodes poll ResourceManagers. Must be the same on all"
              + " ResourceManagers and DataNodes. `0`, any free port, is for tests.");

  private static final Setting<String> DAEMON_BIND_HOST =
      Setting.text(
          PrefetchConfig.PREFIX + "daemon.bind-host",
          "0.0.0.0",
          "an address of the ResourceManager",
          "The address on which DataNodes poll a ResourceManager. By default it listens on all of"
              + " its addresses.");

  private static final Setting<Integer> DAEMON_HANDLERS =
      Setting.integer(
          PrefetchConfig.PREFIX + "daemon.handlers",
          "4",
          1,
          64,
          "The number of threads with which a ResourceManager answers polls. A poll that waits for"
              + " a command occupies none.");

  private static final Setting<String> COORDINATORS =
      new Setting<>(
          PrefetchConfig.PREFIX + "coordinators",
          "",
          "hosts separated by commas",
          "The hosts of the ResourceManagers. If unset: those that YARN's settings name. Set it"
              + " where DataNodes do not have YARN's settings.",
          DaemonSettings::hosts);

  private static final Setting<Double> SHARE =
      Setting.decimal(
          PrefetchConfig.PREFIX + "cache-share",
          "0.5",
          0.01,
          1,
          "The fraction of a DataNode's block cache that prefetched blocks may take until they are"
              + " read.");

  private static final Setting<Double> SHARE_PER_USER =
      Setting.decimal(
          PrefetchConfig.PREFIX + "cache-share-per-user",
          "0.5",
          0.01,
          1,
          "The fraction of `cache-share` that blocks for one user's tasks may take.");

  private static final Setting<Duration> KEEP =
      Setting.duration(
          PrefetchConfig.PREFIX + "keep",
          "1m",
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          "How long a prefetched block is kept for its map after the time at which the map should"
              + " have needed it. That time is not over as long as the map has its container and"
              + " has not begun to read, and for two minutes more (up to five where reading takes"
              + " that long). After it the block may make room for others.");

  /** In the order of the reference page. */
  static final List<Setting<?>> ALL =
      List.of(
          DAEMON_PORT,
          DAEMON_BIND_HOST,
          DAEMON_HANDLERS,
          COORDINATORS,
          SHARE,
          SHARE_PER_USER,
          KEEP);

  private DaemonSettings() {}

  private static String hosts(String text) {
    checkArgument(!CharMatcher.anyOf(", ").matchesAllOf(text), "no host");
    return text;
  }

  static PrefetchConfig.Daemon read(SettingReader reader) {
    return new PrefetchConfig.Daemon(
        reader.read(DAEMON_PORT),
        reader.read(DAEMON_BIND_HOST),
        reader.read(DAEMON_HANDLERS),
        reader.readOptional(COORDINATORS),
        reader.read(SHARE),
        reader.read(SHARE_PER_USER),
        reader.read(KEEP));
  }
}
