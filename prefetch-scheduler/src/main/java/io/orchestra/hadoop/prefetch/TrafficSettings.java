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
          "Who keeps prefetches at their rates: `pacing`: the daemons that bring blocks, which take"
              + " no more; `tc`: also the network devices on the way, which give them no less.");

  private static final Setting<Integer> FIRST_PORT =
      Setting.integer(
          PrefetchConfig.PREFIX + "tc.first-port",
          "24000",
          1024,
          65024,
          "The first of 512 ports from which DataNodes ask for blocks with `tc`: below those that the kernel gives to"
              + " programs by itself (`net.ipv4.ip_local_port_range`).");

  private static final Setting<String> TRAFFIC_SOCKET =
      Setting.text(
          PrefetchConfig.PREFIX + "tc.socket",
          "/var/run/orchestra-traffic/socket",
          "an absolute path",
          "Where the traffic helper of a DataNode's host listens.");

  private static final Setting<String> SWITCHES =
      Setting.text(
          PrefetchConfig.PREFIX + "tc.switches",
          "",
          "an absolute path",
          "Where a traffic helper listens on the ResourceManager's host that takes care of"
              + " switches. Derived: no switch is told of rates.");

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
