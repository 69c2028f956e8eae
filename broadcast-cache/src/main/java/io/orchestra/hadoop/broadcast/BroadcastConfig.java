package io.orchestra.hadoop.broadcast;

import io.orchestra.hadoop.broadcast.algorithm.Overlay;
import io.orchestra.hadoop.broadcast.algorithm.Pieces;
import io.orchestra.hadoop.broadcast.algorithm.RequestLimits;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.core.daemon.LiveSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the broadcast cache, all in {@code hdfs-site.xml}.
 *
 * @param enabled false makes all parts behave as stock
 * @param minFileSize bytes; smaller files are read from HDFS
 * @param pieceSize bytes; empty to derive it from the file's length
 * @param overlay who asks whom
 * @param topology what is known of racks
 * @param neighbours of one receiver, at most
 * @param requests of one receiver
 * @param order in which several files come to a host
 * @param uploadSlots pieces a peer sends at once
 * @param uploadConnections receivers a peer serves at once
 * @param joinTimeout until a tracker has answered
 * @param stallTimeout how much later than from HDFS a file may come; without a byte for so long, a
 *     peer gives it up
 * @param announceInterval of peers that are in a swarm
 * @param networkInterface to measure; empty for the one that leads to the NameNode
 * @param peerPort where a DataNode's peer listens
 * @param peerBindHost address a peer binds
 * @param trackerPort where a NameNode's tracker listens
 * @param trackerBindHost address a tracker binds
 * @param trackerHandlers threads of a tracker
 */
public record BroadcastConfig(
    boolean enabled,
    long minFileSize,
    Optional<Integer> pieceSize,
    Overlay overlay,
    Topology topology,
    int neighbours,
    RequestLimits requests,
    Order order,
    int uploadSlots,
    int uploadConnections,
    Duration joinTimeout,
    Duration stallTimeout,
    Duration announceInterval,
    Optional<String> networkInterface,
    int peerPort,
    String peerBindHost,
    int trackerPort,
    String trackerBindHost,
    int trackerHandlers) {

  public static final String PREFIX = "orchestra.broadcast.";

  /** Below, HDFS makes no handshake: who can listen there is root on his host, and trusted. */
  public static final int FIRST_UNPRIVILEGED_PORT = 1024;

  /** Of a file: a peer asks for all of them at once, and needs a token for each. */
  public static final int MOST_BLOCKS = 256;

  /**
   * Of a file: 256 GB in the shortest ones. Tokens do not tell how long blocks are, and for each
   * piece that somebody speaks of there is a bit or more.
   */
  public static final int MOST_PIECES = 1 << 22;

  /** Bytes a second: whoever takes a piece, or sends one, more slowly keeps others from theirs. */
  private static final int SLOWEST = 64 << 10;

  /** What the tracker knows of racks. */
  public enum Topology {
    /** Nothing: all receivers are alike. */
    FLAT,
    /** Hadoop's racks (CornetTopology). */
    RACKS,
    /** Racks inferred from transfer times (CornetClustering). */
    INFERRED
  }

  /** How files that come to a host at the same time share its link. */
  public enum Order {
    /** The one of which least is missing goes first. */
    SHORTEST,
    /** All alike, as in the paper. */
    TOGETHER
  }

  private static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled", true, "Off: peers and trackers do nothing, all reads go to HDFS.");
  private static final Setting<Long> MIN_FILE_SIZE =
      Setting.bytes(
          PREFIX + "min-file-size",
          "8m",
          "Smaller files are read from HDFS, where few receivers have them sooner.");
  private static final Setting<Long> PIECE_SIZE =
      Setting.bytes(
          PREFIX + "piece-size",
          "",
          "What is sent and verified at once, a power of two from 64k to 16m. Derived: so that a file has 320 to 640"
              + " pieces, but from 64k to 4m: below 20 MB it has fewer, from 2.5 GB on more.");
  private static final Setting<Overlay> OVERLAY =
      Setting.choice(
          PREFIX + "overlay",
          Overlay.class,
          "swarm",
          "Who asks whom. `swarm`: each receiver many others, and replicas (Cornet). `chain` and `tree`, each receiver one other, are for"
              + " comparison.");
  private static final Setting<Topology> TOPOLOGY =
      Setting.choice(
          PREFIX + "topology",
          Topology.class,
          "racks",
          "`flat`: all receivers are alike. `racks`: pieces enter each of Hadoop's racks about once (CornetTopology)."
              + " `inferred`: the same for racks inferred from transfer times (CornetClustering).");
  private static final Setting<Integer> NEIGHBOURS =
      Setting.integer(
          PREFIX + "neighbours",
          "16",
          2,
          200,
          "Peers that a tracker names to a receiver at once, besides the replicas. It asks up to twice as many.");
  private static final Setting<Integer> REQUESTS =
      Setting.integer(
          PREFIX + "requests",
          "16",
          1,
          100,
          "The most pieces that a receiver has asked for and not got, of all neighbours together;"
              + " twice as many when the last ones are awaited.");
  private static final Setting<Integer> REQUESTS_PER_NEIGHBOUR =
      Setting.integer(
          PREFIX + "requests-per-neighbour",
          "4",
          1,
          16,
          "The most pieces that a receiver has asked one neighbour for and not got; only with the overlay `swarm`.");
  private static final Setting<Integer> FAR_REQUESTS =
      Setting.integer(
          PREFIX + "far-requests",
          "4",
          1,
          100,
          "The most pieces that a receiver has asked all replicas and peers in other racks for and not got, together; twice as many while"
              + " their pieces take less than twice as long as those of the own rack, or nobody of that is known. A late piece that a reader waits for is asked for all the same. One in the beginning, and two more for each piece that comes.");
  private static final Setting<Order> ORDER =
      Setting.choice(
          PREFIX + "order",
          Order.class,
          "shortest",
          "Of several files that come to a host at the same time, `shortest`: where they fill its link, the one of which least is missing goes first, and each of the"
              + " others asks for one piece at a time, for twelve times `stall-timeout` in all; `together`: all are alike. The NameNode's value counts, for files that are begun from then on. Only with the overlay `swarm`.");
  private static final Setting<Integer> UPLOAD_SLOTS =
      Setting.integer(
          PREFIX + "upload-slots", "8", 1, 100, "The most pieces that a peer sends at once.");
  private static final Setting<Integer> UPLOAD_CONNECTIONS =
      Setting.integer(
          PREFIX + "upload-connections",
          "64",
          1,
          1000,
          "The most receivers that a peer serves at once.");
  private static final Setting<Duration> JOIN_TIMEOUT =
      Setting.duration(
          PREFIX + "join-timeout",
          "2s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How long a reader waits for the answer of a tracker, and before that for another reader of its host that asks"
              + " for the same block. A tracker that does not answer in time is asked for no reader for a minute.");
  private static final Setting<Duration> STALL_TIMEOUT =
      Setting.duration(
          PREFIX + "stall-timeout",
          "5s",
          Duration.ofMillis(500),
          Duration.ofMinutes(10),
          "How much later than from HDFS a file may come, but for the time in which it gives way to others (`order`). A file of which nothing has come for so long is read from HDFS;"
              + " a neighbour that is silent for so long is left.");
  private static final Setting<Duration> ANNOUNCE_INTERVAL =
      Setting.duration(
          PREFIX + "announce-interval",
          "3s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "Time between two announcements of a peer.");
  private static final Setting<String> INTERFACE =
      Setting.text(
          PREFIX + "interface",
          "",
          "an interface name (`eth0`)",
          "Interface whose load a peer announces. Derived: the one through which it reaches the NameNode.");
  private static final Setting<Integer> PEER_PORT =
      Setting.integer(
          PREFIX + "peer.port",
          "8121",
          0,
          65535,
          "Port on which a DataNode's peer listens: 1024 or higher, since DataNodes take a lower one for a proof of who"
              + " listens there; or 0 for any that is free.");
  private static final Setting<String> PEER_BIND_HOST =
      Setting.text(
          PREFIX + "peer.bind-host",
          "0.0.0.0",
          "an address of the DataNode",
          "Address on which a DataNode's peer listens.");
  private static final Setting<Integer> TRACKER_PORT =
      Setting.integer(
          PREFIX + "tracker.port",
          "8122",
          1,
          65535,
          "Port on which every NameNode's tracker listens; the same on all of them.");
  private static final Setting<String> TRACKER_BIND_HOST =
      Setting.text(
          PREFIX + "tracker.bind-host",
          "0.0.0.0",
          "an address of the NameNode",
          "Address on which a NameNode's tracker listens.");
  private static final Setting<Integer> TRACKER_HANDLERS =
      Setting.integer(PREFIX + "tracker.handlers", "4", 1, 64, "Threads of a NameNode's tracker.");

  /** What {@code hdfs dfsadmin -refresh} changes in a running NameNode. */
  public static final LiveSettings.Changeable<BroadcastConfig> CHANGEABLE =
      new LiveSettings.Changeable<>(
          "orchestra-broadcast",
          PREFIX,
          List.of(ENABLED, MIN_FILE_SIZE, PIECE_SIZE, OVERLAY, TOPOLOGY, NEIGHBOURS, ORDER),
          BroadcastConfig::from);

  /** All settings, in the order of the reference page. */
  public static final List<Setting<?>> SETTINGS =
      List.of(
          ENABLED,
          MIN_FILE_SIZE,
          PIECE_SIZE,
          OVERLAY,
          TOPOLOGY,
          NEIGHBOURS,
          REQUESTS,
          REQUESTS_PER_NEIGHBOUR,
          FAR_REQUESTS,
          ORDER,
          UPLOAD_SLOTS,
          UPLOAD_CONNECTIONS,
          JOIN_TIMEOUT,
          STALL_TIMEOUT,
          ANNOUNCE_INTERVAL,
          INTERFACE,
          PEER_PORT,
          PEER_BIND_HOST,
          TRACKER_PORT,
          TRACKER_BIND_HOST,
          TRACKER_HANDLERS);

  /**
   * @throws InvalidConfigurationException that lists every value that cannot be used
   */
  public static BroadcastConfig from(Configuration conf) throws InvalidConfigurationException {
    SettingReader reader = new SettingReader(conf);
    Optional<Long> pieceSize = reader.readOptional(PIECE_SIZE);
    reader.require(
        pieceSize.stream().allMatch(Pieces::possible),
        "%s must be a power of two from 64k to 16m. Change it, or remove it for a derived value."
            .formatted(PIECE_SIZE.key()));
    BroadcastConfig config =
        new BroadcastConfig(
            reader.read(ENABLED),
            reader.read(MIN_FILE_SIZE),
            pieceSize.filter(Pieces::possible).map(Math::toIntExact),
            reader.read(OVERLAY),
            reader.read(TOPOLOGY),
            reader.read(NEIGHBOURS),
            new RequestLimits(
                reader.read(REQUESTS),
                reader.read(REQUESTS_PER_NEIGHBOUR),
                reader.read(FAR_REQUESTS)),
            reader.read(ORDER),
            reader.read(UPLOAD_SLOTS),
            reader.read(UPLOAD_CONNECTIONS),
            reader.read(JOIN_TIMEOUT),
            reader.read(STALL_TIMEOUT),
            reader.read(ANNOUNCE_INTERVAL),
            reader.readOptional(INTERFACE),
            reader.read(PEER_PORT),
            reader.read(PEER_BIND_HOST),
            reader.read(TRACKER_PORT),
            reader.read(TRACKER_BIND_HOST),
            reader.read(TRACKER_HANDLERS));
    reader.require(
        config.peerPort == 0 || config.peerPort >= FIRST_UNPRIVILEGED_PORT,
        "%s = %d is a privileged port, with which HDFS takes a DataNode for authenticated. Choose one from %d on."
            .formatted(PEER_PORT.key(), config.peerPort, FIRST_UNPRIVILEGED_PORT));
    reader.verify(PREFIX, SETTINGS);
    return config;
  }

  /**
   * How long a piece may be on its way, also if some of it comes all the time.
   *
   * @param pieceLength bytes
   */
  public Duration longestPiece(int pieceLength) {
    // Asked ten times a second for each receiver: to multiply, Duration makes decimals of it.
    return stallTimeout.plus(stallTimeout).plusSeconds(pieceLength / SLOWEST);
  }
}
