package io.orchestra.hadoop.core.blockcache;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the block cache of a DataNode, in {@code hdfs-site.xml}.
 *
 * @param enabled false: nothing is cached, clients read from HDFS
 * @param socket where clients of this host ask
 * @param guardSocket whether to insist on a directory that others cannot write to
 * @param directory where blocks are kept
 * @param capacity bytes of all blocks together
 * @param idleTime after which a block nobody reads is dropped
 * @param waitLimit until a block begins, and while nobody says that it is still coming
 * @param mapInputWait the same for a map's input
 * @param connections at once
 * @param connectionsPerUser at once
 * @param sharePerUser fraction of the capacity that may be under way for one user, and that one
 *     user's readers may hold
 */
public record BlockCacheConfig(
    boolean enabled,
    Path socket,
    boolean guardSocket,
    Path directory,
    long capacity,
    Duration idleTime,
    Duration waitLimit,
    Duration mapInputWait,
    int connections,
    int connectionsPerUser,
    double sharePerUser) {

  public static final String PREFIX = "orchestra.block-cache.";

  /** Read by every HDFS client, so not only by name but also without ceremony. */
  static final String PATHS_KEY = PREFIX + "paths";

  static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "`false` switches the cache off, and with it the broadcast cache and prefetching: all"
              + " reads go to HDFS.");
  static final Setting<String> SOCKET =
      Setting.text(
          PREFIX + "socket",
          "/var/run/orchestra/block-cache.sock",
          "an absolute path of at most 100 characters",
          "The Unix domain socket on which a DataNode serves HDFS clients on its host. Only root"
              + " and the DataNode's user may own its directory and those above, or be able to"
              + " write to them; symbolic links are followed.");
  static final Setting<Boolean> GUARD_SOCKET =
      Setting.flag(
          PREFIX + "guard-socket",
          true,
          "Whether a socket that others could replace is refused: by DataNodes and clients, one in"
              + " a directory that others can write to; by clients, also one that neither root nor"
              + " the directory's owner serves. Whoever replaces the socket can give clients false"
              + " data.");
  private static final Setting<String> DIRECTORY =
      Setting.text(
          PREFIX + "directory",
          "",
          "a directory",
          "Where a DataNode keeps cached blocks: on disk, or in memory (`/dev/shm/...`). Use the"
              + " directory for nothing else: the DataNode makes it private to its user. If unset:"
              + " `block-cache` in `hadoop.tmp.dir`, which Hadoop puts below `/tmp`.");
  private static final Setting<Long> CAPACITY =
      Setting.bytes(
          PREFIX + "capacity",
          "4g",
          "The most bytes that all cached blocks of a DataNode may take together; there are at most"
              + " 1024 blocks. It is less where their disk is full: a 20th of the disk, at most 1g,"
              + " is left free.");
  private static final Setting<Duration> IDLE_TIME =
      Setting.duration(
          PREFIX + "idle-time",
          "5m",
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "How long a block that nobody reads stays in the cache. Until then other readers and"
              + " hosts may have it from there.");
  static final Setting<Duration> WAIT_LIMIT =
      Setting.duration(
          PREFIX + "wait-limit",
          "10s",
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          "How long a reader waits for the first bytes of its block, and later for any more of"
              + " them, before it reads from HDFS. For a single piece it waits at most three times"
              + " as long. Once a file has begun to come as a swarm, its readers wait until it is"
              + " given up (`orchestra.broadcast.stall-timeout`).");

  /** Read by every HDFS client, as {@link #PATHS_KEY} is. */
  static final Setting<Boolean> MAP_INPUT =
      Setting.flag(
          PREFIX + "map-input",
          false,
          "Whether map tasks look for their input in the cache, where the prefetch scheduler may"
              + " have put it. `false`: they look there only for files of"
              + " `orchestra.block-cache.paths`.");

  static final Setting<Duration> MAP_INPUT_WAIT =
      Setting.duration(
          PREFIX + "map-input-wait",
          "3s",
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          "The same as `wait-limit`, for a map task whose input may still be on its way. With the"
              + " default it usually goes to HDFS only if the source is gone: lost TCP packets"
              + " seldom stop a copy for that long. For what is far beyond what has arrived, the"
              + " map waits a quarter of this time.");
  private static final Setting<Integer> CONNECTIONS =
      Setting.integer(
          PREFIX + "connections",
          "128",
          1,
          10_000,
          "The most clients that a DataNode serves at the same time.");
  private static final Setting<Integer> CONNECTIONS_PER_USER =
      Setting.integer(
          PREFIX + "connections-per-user",
          "32",
          1,
          10_000,
          "The most clients of one user that a DataNode serves at the same time.");
  private static final Setting<Double> SHARE_PER_USER =
      Setting.decimal(
          PREFIX + "share-per-user",
          "0.5",
          0.01,
          1,
          "The fraction of `capacity` that files on their way for one user may take. The same limit"
              + " holds for the blocks that one user is reading.");
  private static final Setting<String> PATHS =
      Setting.text(
          PATHS_KEY,
          "",
          "glob patterns separated by commas, such as `/apps/models/*,/lookup/**`",
          "Files that HDFS clients with this setting read through the cache, besides those that the"
              + " distributed cache localizes. Set it in the clients' configuration. An invalid"
              + " pattern is ignored, with a warning. If unset: none.");

  /** All settings, in the order of the reference page. */
  public static final List<Setting<?>> SETTINGS =
      List.of(
          ENABLED,
          SOCKET,
          GUARD_SOCKET,
          DIRECTORY,
          CAPACITY,
          IDLE_TIME,
          WAIT_LIMIT,
          MAP_INPUT,
          MAP_INPUT_WAIT,
          CONNECTIONS,
          CONNECTIONS_PER_USER,
          SHARE_PER_USER,
          PATHS);

  /**
   * @throws InvalidConfigurationException that lists every value that cannot be used
   */
  public static BlockCacheConfig from(Configuration conf) throws InvalidConfigurationException {
    SettingReader reader = new SettingReader(conf);
    BlockCacheConfig config =
        new BlockCacheConfig(
            reader.read(ENABLED),
            Path.of(reader.read(SOCKET)),
            reader.read(GUARD_SOCKET),
            reader
                .readOptional(DIRECTORY)
                .map(Path::of)
                .orElseGet(() -> Path.of(conf.get("hadoop.tmp.dir"), "block-cache")),
            reader.read(CAPACITY),
            reader.read(IDLE_TIME),
            reader.read(WAIT_LIMIT),
            reader.read(MAP_INPUT_WAIT),
            reader.read(CONNECTIONS),
            reader.read(CONNECTIONS_PER_USER),
            reader.read(SHARE_PER_USER));
    reader.require(
        config.socket.isAbsolute() && config.socket.toString().length() <= 100,
        "%s = '%s' is not an absolute path of at most 100 characters, which is what the kernel takes. Choose another."
            .formatted(SOCKET.key(), config.socket));
    reader.verify(PREFIX, SETTINGS);
    return config;
  }

  /** How long a reader waits. A map's input is on other hosts, too, and need not come here. */
  Patience patience(ReadRequest.Purpose purpose) {
    return purpose == ReadRequest.Purpose.MAP_INPUT
        ? new Patience(mapInputWait, false)
        : new Patience(waitLimit, true);
  }
}
