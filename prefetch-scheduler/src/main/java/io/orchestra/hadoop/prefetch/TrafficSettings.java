package io.orchestra.hadoop.prefetch;

import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import java.util.List;

/** Who keeps prefetches at their rates. */
final class TrafficSettings {
  private static final Setting<PrefetchConfig.Driver> DRIVER =
      Setting.choice(
          PrefetchConfig.PREFIX + "driver",
          PrefetchConfig.Driver.class,
          "pacing",
          "What keeps prefetches at their rates. `pacing`: the daemons that copy blocks, which take"
              + " no more than the rate. `tc`: also the network devices on the way, which give no"
              + " less; it needs a traffic helper on the hosts of DataNodes.");

  private static final Setting<Integer> FIRST_PORT =
      Setting.integer(
          PrefetchConfig.PREFIX + "tc.first-port",
          "24000",
          1024,
          65024,
          "With `tc`, the first of the 512 ports from which DataNodes ask for blocks. Keep them"
              + " free, and below the range from which the kernel itself assigns ports"
              + " (`net.ipv4.ip_local_port_range`).");

  private static final Setting<String> TRAFFIC_SOCKET =
      Setting.text(
          PrefetchConfig.PREFIX + "tc.socket",
          "/var/run/orchestra-traffic/socket",
          "an absolute path",
          "The Unix socket on which the traffic helper of a DataNode's host listens.");

  private static final Setting<String> SWITCHES =
      Setting.text(
          PrefetchConfig.PREFIX + "tc.switches",
          "",
          "an absolute path",
          "The Unix socket on which a traffic helper for switches listens on the ResourceManager's"
              + " host. If unset: no switch is told of rates.");

  /** In the order of the reference page. */
  static final List<Setting<?>> ALL = List.of(DRIVER, FIRST_PORT, TRAFFIC_SOCKET, SWITCHES);

  private TrafficSettings() {}

  static PrefetchConfig.Traffic read(SettingReader reader) {
    return new PrefetchConfig.Traffic(
        reader.read(DRIVER),
        reader.read(FIRST_PORT),
        reader.read(TRAFFIC_SOCKET),
        reader.readOptional(SWITCHES));
  }
}
