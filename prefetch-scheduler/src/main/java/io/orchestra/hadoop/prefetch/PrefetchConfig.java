package io.orchestra.hadoop.prefetch;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the prefetch scheduler, in {@code yarn-site.xml} of ResourceManagers and of the hosts
 * where application masters run, and in {@code hdfs-site.xml} of DataNodes.
 *
 * @param enabled false makes the scheduler exactly the Fair Scheduler
 * @param interval from one prediction to the next
 * @param horizon how far ahead launches are foretold
 * @param launchDelay from the moment a task has its container to its launch
 * @param agentPort where application masters report; 0 takes a free one
 * @param agentBindHost address of that port
 * @param agentHandlers threads that take reports
 * @param agentInterval from one report of an application master to the next
 * @param fetching what the coordinator has brought
 * @param traffic who keeps prefetches at their rates
 * @param daemon of each DataNode, and how it and the coordinator find each other
 */
public record PrefetchConfig(
    boolean enabled,
    Duration interval,
    Duration horizon,
    Duration launchDelay,
    int agentPort,
    String agentBindHost,
    int agentHandlers,
    Duration agentInterval,
    Fetching fetching,
    Traffic traffic,
    Daemon daemon) {
  /**
   * Which blocks are brought, and at which rates.
   *
   * @param enabled false: launches are foretold, and nothing comes of it
   * @param confirmed whether blocks are also brought for tasks that have got their containers
   * @param cardinal who goes first, and at which rates
   * @param steadiness fraction of the time left until a launch for which it must have been foretold
   *     on the same host before anything is brought
   * @param leastPrecision part of a user's last launches that came as foretold, with less of which
   *     nothing begins for others that are foretold
   * @param readDelay from the moment a task has its container to its first read
   * @param readingShare of the time that a map takes after that, in which its block may still come
   * @param usableShare fraction of each link that all prefetches together may take
   * @param yieldShare fraction of other traffic that is left alone where nobody guarantees rates
   * @param linkCapacity bytes per second of each host's link; empty: as its interface says
   * @param rackCapacity bytes per second of the link of each rack's switch; empty: all of its hosts
   *     together
   */
  public record Fetching(
      boolean enabled,
      boolean confirmed,
      Cardinal.Mode cardinal,
      double steadiness,
      double leastPrecision,
      Duration readDelay,
      double readingShare,
      double usableShare,
      double yieldShare,
      Optional<Long> linkCapacity,
      Optional<Long> rackCapacity) {}

  /** Who keeps prefetches at their rates. */
  public enum Driver {
    /** The daemons that bring blocks take no more. */
    PACING,
    /** Devices on the way give no less, too. */
    TC
  }

  /**
   * @param firstPort of 512 from which daemons ask for blocks, so that devices know them
   * @param socket of a host's traffic helper
   * @param switches socket of the traffic helper for switches, on the ResourceManager's host
   */
  public record Traffic(Driver driver, int firstPort, String socket, Optional<String> switches) {}

  /**
   * @param port where daemons poll the coordinator; 0 takes a free one
   * @param bindHost address of that port
   * @param handlers threads that take polls
   * @param coordinators hosts of the ResourceManagers; empty: as YARN's settings say
   * @param share fraction of the block cache that blocks may take that are not read yet
   * @param sharePerUser fraction of these for the tasks of one user
   * @param keep time after its deadline that a block waits for its reader
   */
  public record Daemon(
      int port,
      String bindHost,
      int handlers,
      Optional<String> coordinators,
      double share,
      double sharePerUser,
      Duration keep) {}

  public static final String PREFIX = "orchestra.prefetch.";

  private static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "`false` switches the plugin off. On a ResourceManager: the scheduler is the Fair"
              + " Scheduler and nothing more. On a DataNode: nothing is prefetched there. For a"
              + " job: it reports nothing, and nothing is prefetched for it.");
  private static final Setting<Duration> INTERVAL =
      Setting.duration(
          PREFIX + "interval",
          "1s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "The pause between two predictions. It is longer where copying the scheduler's state"
              + " would otherwise hold its read lock for more than a fiftieth of the time. Raise it"
              + " if `RunMillis` comes near it.");
  private static final Setting<Duration> HORIZON =
      Setting.duration(
          PREFIX + "horizon",
          "15s",
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          "How far ahead launches are predicted. Set it to the time that a block takes to fetch"
              + " plus a fifth (for `orchestra.prefetch.steadiness`), and not to much more:"
              + " launches far ahead often move to another host.");
  private static final Setting<Duration> LAUNCH_DELAY =
      Setting.duration(
          PREFIX + "launch-delay",
          "200ms",
          Duration.ZERO,
          Duration.ofMinutes(1),
          "The time that a task is assumed to take from getting its container to its launch.");
  private static final Setting<Integer> AGENT_PORT =
      Setting.integer(
          PREFIX + "agent.port",
          "8123",
          0,
          65535,
          "The port on which ResourceManagers receive reports from application masters. Must be the"
              + " same on all ResourceManagers and for all jobs. `0`, any free port, is for"
              + " tests.");
  private static final Setting<String> AGENT_BIND_HOST =
      Setting.text(
          PREFIX + "agent.bind-host",
          "0.0.0.0",
          "an address of the ResourceManager",
          "The address on which a ResourceManager receives reports from application masters. By"
              + " default it listens on all of its addresses.");
  private static final Setting<Integer> AGENT_HANDLERS =
      Setting.integer(
          PREFIX + "agent.handlers",
          "4",
          1,
          64,
          "The number of threads with which a ResourceManager receives reports from application"
              + " masters.");
  private static final Setting<Duration> AGENT_INTERVAL =
      Setting.duration(
          PREFIX + "agent.interval",
          "500ms",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "The pause between two reports of an application master while it has maps. It is three"
              + " seconds or more once its maps are over, and longer where looking at the job takes"
              + " more than a twentieth of a processor. With `orchestra.prefetch.confirmed`, an"
              + " application master also reports as soon as a map gets its container.");

  /** The class whose decisions on preemption an application master follows. */
  public static final Setting<String> DELEGATE =
      Setting.text(
          PREFIX + "am.preemption-policy.delegate",
          "org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy",
          "a class that application masters can load",
          "The class that `yarn.app.mapreduce.am.preemption.policy` would name without"
              + " `PrefetchAgent`, which leaves preemption to it.");

  /** All settings, in the order of the reference page. */
  public static final List<Setting<?>> SETTINGS =
      ImmutableList.<Setting<?>>builder()
          .add(
              ENABLED,
              INTERVAL,
              HORIZON,
              LAUNCH_DELAY,
              AGENT_PORT,
              AGENT_BIND_HOST,
              AGENT_HANDLERS,
              AGENT_INTERVAL)
          .addAll(FetchingSettings.ALL)
          .addAll(TrafficSettings.ALL)
          .addAll(DaemonSettings.ALL)
          .add(DELEGATE)
          .build();

  /**
   * @throws InvalidConfigurationException that lists every value that cannot be used
   */
  public static PrefetchConfig from(Configuration conf) throws InvalidConfigurationException {
    SettingReader reader = new SettingReader(conf);
    PrefetchConfig config =
        new PrefetchConfig(
            reader.read(ENABLED),
            reader.read(INTERVAL),
            reader.read(HORIZON),
            reader.read(LAUNCH_DELAY),
            reader.read(AGENT_PORT),
            reader.read(AGENT_BIND_HOST),
            reader.read(AGENT_HANDLERS),
            reader.read(AGENT_INTERVAL),
            FetchingSettings.read(reader),
            TrafficSettings.read(reader),
            DaemonSettings.read(reader));
    reader.verify(PREFIX, SETTINGS);
    return config;
  }
}
