package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.core.daemon.LiveSettings;
import io.orchestra.hadoop.core.meter.Smoothing;
import io.orchestra.hadoop.placement.algorithm.Algorithm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of network-aware placement, all in {@code hdfs-site.xml}.
 *
 * @param enabled false makes all parts behave as stock
 * @param minBlockSize bytes; smaller blocks are placed by HDFS alone
 * @param minCoverage fraction of the live DataNodes that must have reported
 * @param reportInterval time between two measurements of a DataNode
 * @param reportTimeout age at which a measurement no longer counts
 * @param smoothing weight of a new measurement
 * @param algorithm which host is best
 * @param spread over how many racks the default policy spreads a block
 * @param linkCapacity bytes per second of a DataNode's link; empty to ask its interface
 * @param rackLinkCapacity bytes per second of a rack's link to the core; empty for a non-blocking
 *     core
 * @param diskWriteCapacity bytes per second of a DataNode's disks; empty if they are no limit
 * @param networkInterface name of the interface to measure; empty for the one that leads to the
 *     NameNode
 * @param collectorPort where the NameNode listens for reports
 * @param collectorBindHost address the NameNode binds
 */
public record PlacementConfig(
    boolean enabled,
    long minBlockSize,
    double minCoverage,
    Duration reportInterval,
    Duration reportTimeout,
    double smoothing,
    Algorithm algorithm,
    Spread spread,
    Optional<Long> linkCapacity,
    Optional<Long> rackLinkCapacity,
    Optional<Long> diskWriteCapacity,
    Optional<String> networkInterface,
    int collectorPort,
    String collectorBindHost) {

  public static final String PREFIX = "orchestra.placement.";

  /** Over how many racks a block's replicas go. */
  public enum Spread {
    /** Two, as HDFS's default policy does. */
    HDFS,
    /** As many as there are replicas: one in each fault domain, as in the paper. */
    PAPER
  }

  /** 1.6 Tbit/s in bytes per second: nobody has a faster link, and no NameNode believes one. */
  public static final long LARGEST_CAPACITY = 200_000_000_000L;

  private static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "`false` switches the plugin off: HDFS places all replicas itself.");
  private static final Setting<Long> MIN_BLOCK_SIZE =
      Setting.bytes(
          PREFIX + "min-block-size",
          "16m",
          "The smallest block size of files whose replicas the plugin places. HDFS places the"
              + " others itself: they have many blocks, but few bytes. What counts is the file's"
              + " block size, not its length.");
  private static final Setting<Double> MIN_COVERAGE =
      Setting.decimal(
          PREFIX + "min-coverage",
          "0.5",
          0,
          1,
          "The fraction of live DataNodes that must have reported within `report.timeout`. Below"
              + " it, HDFS places all replicas itself.");
  private static final Setting<Duration> REPORT_INTERVAL =
      Setting.duration(
          PREFIX + "report.interval",
          "1s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How often a DataNode measures and reports its link, and how often a NameNode publishes a"
              + " snapshot of all links. If you raise it, raise `report.timeout` too, which must be"
              + " at least twice as long.");
  private static final Setting<Duration> REPORT_TIMEOUT =
      Setting.duration(
          PREFIX + "report.timeout",
          "3s",
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          "A DataNode that has not reported for this long counts as fully loaded. At least twice"
              + " `report.interval`, so that one late report does not have that effect.");
  private static final Setting<Double> SMOOTHING =
      Setting.decimal(
          PREFIX + "smoothing",
          "0.2",
          0.01,
          1,
          "The weight of a new measurement in the moving average of a link's load. A higher value"
              + " follows changes sooner; with `1` only the newest measurement counts.");
  private static final Setting<Algorithm> ALGORITHM =
      Setting.choice(
          PREFIX + "algorithm",
          Algorithm.class,
          "share",
          "How DataNodes are ranked. `share`: the best is the one to which one more copy would flow"
              + " fastest, next to the copies already under way. `paper`: Sinbad to the letter, for"
              + " comparison: residual capacity at one level of links, with averages that start at"
              + " zero.");
  private static final Setting<Spread> SPREAD =
      Setting.choice(
          PREFIX + "spread",
          Spread.class,
          "hdfs",
          "Over how many racks the replicas of a block are spread. `hdfs`: two, as HDFS does."
              + " `paper`: a rack of its own for each replica while there are enough racks; only"
              + " with `NetworkAwarePlacementPolicy`.");
  private static final Setting<Long> LINK_CAPACITY =
      Setting.rate(
          PREFIX + "link-capacity",
          "",
          "The capacity of a DataNode's link. If unset: the speed that its interface states, or"
              + " 1gbit with a warning. Set it on virtual machines and in containers, whose"
              + " interfaces do not state their speed.");
  private static final Setting<Long> RACK_LINK_CAPACITY =
      Setting.rate(
          PREFIX + "rack-link-capacity",
          "",
          "The capacity of each rack's link to the core. If unset: the sum of its hosts' links. Set"
              + " it, on NameNodes, where racks are oversubscribed.");
  private static final Setting<Long> DISK_WRITE_CAPACITY =
      Setting.rate(
          PREFIX + "disk-write-capacity",
          "",
          "What the disks of a DataNode can write together. If unset: no limit. Set it where disks"
              + " are slower than the link.");
  private static final Setting<String> INTERFACE =
      Setting.text(
          PREFIX + "interface",
          "",
          "an interface name (`eth0`)",
          "The network interface that a DataNode measures. If unset: the one through which it"
              + " reaches the NameNode.");
  private static final Setting<Integer> COLLECTOR_PORT =
      Setting.integer(
          PREFIX + "collector.port",
          "8120",
          1,
          65535,
          "The port on which NameNodes receive link reports. Must be the same on all NameNodes and"
              + " DataNodes.");
  private static final Setting<String> COLLECTOR_BIND_HOST =
      Setting.text(
          PREFIX + "collector.bind-host",
          "0.0.0.0",
          "an address of the NameNode",
          "The address on which a NameNode receives link reports. By default it listens on all of"
              + " its addresses.");

  /** How reports become estimates. The paper's averages start at zero (section 6.2). */
  public Smoothing estimate() {
    return new Smoothing(smoothing, algorithm == Algorithm.PAPER);
  }

  /** What {@code hdfs dfsadmin -refresh} changes in a running NameNode. */
  public static final LiveSettings.Changeable<PlacementConfig> CHANGEABLE =
      new LiveSettings.Changeable<>(
          "orchestra-placement",
          PREFIX,
          List.of(
              ENABLED,
              MIN_BLOCK_SIZE,
              MIN_COVERAGE,
              REPORT_TIMEOUT,
              SMOOTHING,
              ALGORITHM,
              SPREAD,
              RACK_LINK_CAPACITY),
          PlacementConfig::from);

  /** All settings, in the order of the reference page. */
  public static final List<Setting<?>> SETTINGS =
      List.of(
          ENABLED,
          MIN_BLOCK_SIZE,
          MIN_COVERAGE,
          REPORT_INTERVAL,
          REPORT_TIMEOUT,
          SMOOTHING,
          ALGORITHM,
          SPREAD,
          LINK_CAPACITY,
          RACK_LINK_CAPACITY,
          DISK_WRITE_CAPACITY,
          INTERFACE,
          COLLECTOR_PORT,
          COLLECTOR_BIND_HOST);

  /**
   * @throws InvalidConfigurationException that lists every value that cannot be used
   */
  public static PlacementConfig from(Configuration conf) throws InvalidConfigurationException {
    SettingReader reader = new SettingReader(conf);
    PlacementConfig config =
        new PlacementConfig(
            reader.read(ENABLED),
            reader.read(MIN_BLOCK_SIZE),
            reader.read(MIN_COVERAGE),
            reader.read(REPORT_INTERVAL),
            reader.read(REPORT_TIMEOUT),
            reader.read(SMOOTHING),
            reader.read(ALGORITHM),
            reader.read(SPREAD),
            reader.readOptional(LINK_CAPACITY),
            reader.readOptional(RACK_LINK_CAPACITY),
            reader.readOptional(DISK_WRITE_CAPACITY),
            reader.readOptional(INTERFACE),
            reader.read(COLLECTOR_PORT),
            reader.read(COLLECTOR_BIND_HOST));
    reader.require(
        config.reportTimeout.compareTo(config.reportInterval.multipliedBy(2)) >= 0,
        "%s (%d ms) is less than twice %s (%d ms), so that one late report makes a DataNode count as full. Raise the"
                .formatted(
                    REPORT_TIMEOUT.key(),
                    config.reportTimeout.toMillis(),
                    REPORT_INTERVAL.key(),
                    config.reportInterval.toMillis())
            + " first or lower the second.");
    requireBelievable(reader, LINK_CAPACITY, config.linkCapacity);
    requireBelievable(reader, DISK_WRITE_CAPACITY, config.diskWriteCapacity);
    reader.verify(PREFIX, SETTINGS);
    return config;
  }

  private static void requireBelievable(
      SettingReader reader, Setting<Long> setting, Optional<Long> capacity) {
    reader.require(
        capacity.orElse(0L) <= LARGEST_CAPACITY,
        "%s is more than 1600 gbit, which no NameNode believes. Leave it out if there is no limit."
            .formatted(setting.key()));
  }
}
