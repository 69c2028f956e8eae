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
          PREFIX + "enabled",
          true,
          "`false` switches the plugin off: peers and trackers do nothing, and localizers read from"
              + " HDFS.");
  private static final Setting<Long> MIN_FILE_SIZE =
      Setting.bytes(
          PREFIX + "min-file-size",
          "8m",
          "The smallest file that is fetched as a swarm. Smaller files are read from HDFS, which is"
              + " faster for them when there are few receivers.");
  private static final Setting<Long> PIECE_SIZE =
      Setting.bytes(
          PREFIX + "piece-size",
          "",
          "The size of a piece, which is sent and verified as a whole: a power of two from 64k to"
              + " 16m. If unset: a file has 320 to 640 pieces of 64k to 4m; below 20 MB it has"
              + " fewer, from 2.5 GB on more. Set it where `dfs.bytes-per-checksum` is more than 64"
              + " KB, to a multiple of that.");
  private static final Setting<Overlay> OVERLAY =
      Setting.choice(
          PREFIX + "overlay",
          Overlay.class,
          "swarm",
          "Whom a receiver asks for pieces. `swarm`: many other receivers, and replicas (Cornet)."
              + " `chain` and `tree`: one other host, for comparison.");
  private static final Setting<Topology> TOPOLOGY =
      Setting.choice(
          PREFIX + "topology",
          Topology.class,
          "racks",
          "What is assumed about racks. `flat`: nothing, all receivers are alike. `racks`: Hadoop's"
              + " racks; a piece enters each of them about once (CornetTopology). `inferred`: the"
              + " same with racks that the tracker infers from transfer times (CornetClustering).");
  private static final Setting<Integer> NEIGHBOURS =
      Setting.integer(
          PREFIX + "neighbours",
          "16",
          2,
          200,
          "How many peers a tracker names to a receiver at a time, besides replicas. A receiver"
              + " asks at most twice as many.");
  private static final Setting<Integer> REQUESTS =
      Setting.integer(
          PREFIX + "requests",
          "16",
          1,
          100,
          "The most pieces that a receiver may have requested and not yet received, from all"
              + " neighbours together. Twice as many while it waits for the last ones.");
  private static final Setting<Integer> REQUESTS_PER_NEIGHBOUR =
      Setting.integer(
          PREFIX + "requests-per-neighbour",
          "4",
          1,
          16,
          "The most pieces that a receiver may have requested from one neighbour and not yet"
              + " received. Only with `overlay` = `swarm`.");
  private static final Setting<Integer> FAR_REQUESTS =
      Setting.integer(
          PREFIX + "far-requests",
          "4",
          1,
          100,
          "The most pieces that a receiver may have requested and not yet received from all"
              + " replicas and all peers in other racks together. Twice as many while these pieces"
              + " take less than twice as long as those from its own rack, or while it knows no"
              + " peer there. It begins with one, and may have two more with each piece that"
              + " arrives. A late piece that a reader waits for is requested in any case.");
  private static final Setting<Order> ORDER =
      Setting.choice(
          PREFIX + "order",
          Order.class,
          "shortest",
          "Whether files that come to a host at the same time take turns. `shortest`: where they"
              + " fill its link, the file of which least is missing goes first; each of the others"
              + " meanwhile asks for one piece at a time, for at most twelve times `stall-timeout`"
              + " in all. `together`: they do not take turns. The NameNode's value counts; a change"
              + " applies to files begun after it. Only with `overlay` = `swarm`.");
  private static final Setting<Integer> UPLOAD_SLOTS =
      Setting.integer(
          PREFIX + "upload-slots",
          "8",
          1,
          100,
          "The most pieces that a peer sends at the same time.");
  private static final Setting<Integer> UPLOAD_CONNECTIONS =
      Setting.integer(
          PREFIX + "upload-connections",
          "64",
          1,
          1000,
          "The most receivers that a peer serves at the same time.");
  private static final Setting<Duration> JOIN_TIMEOUT =
      Setting.duration(
          PREFIX + "join-timeout",
          "2s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How long a reader waits for a tracker's answer, and before that for another reader on"
              + " its host that is asking about the same block. A tracker that does not answer in"
              + " time is not asked again for a minute.");
  private static final Setting<Duration> STALL_TIMEOUT =
      Setting.duration(
          PREFIX + "stall-timeout",
          "5s",
          Duration.ofMillis(500),
          Duration.ofMinutes(10),
          "How much later than from HDFS a file may arrive, not counting the time for which it"
              + " gives way to other files (`order`). A file of which nothing arrives for this long"
              + " is read from HDFS. A neighbour that is silent for this long is dropped.");
  private static final Setting<Duration> ANNOUNCE_INTERVAL =
      Setting.duration(
          PREFIX + "announce-interval",
          "3s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How often a peer tells the trackers what it has and how busy its link is.");
  private static final Setting<String> INTERFACE =
      Setting.text(
          PREFIX + "interface",
          "",
          "an interface name (`eth0`)",
          "The network interface whose load a peer announces. If unset: the one through which it"
              + " reaches the NameNode.");
  private static final Setting<Integer> PEER_PORT =
      Setting.integer(
          PREFIX + "peer.port",
          "8121",
          0,
          65535,
          "The port on which a DataNode's peer listens: 1024 or higher, or `0` for any free port."
              + " Lower ports are refused, because DataNodes take them as proof of who listens"
              + " there.");
  private static final Setting<String> PEER_BIND_HOST =
      Setting.text(
          PREFIX + "peer.bind-host",
          "0.0.0.0",
          "an address of the DataNode",
          "The address on which a DataNode's peer listens. By default it listens on all of its"
              + " addresses.");
  private static final Setting<Integer> TRACKER_PORT =
      Setting.integer(
          PREFIX + "tracker.port",
          "8122",
          1,
          65535,
          "The port on which NameNodes' trackers listen. Must be the same on all NameNodes and"
              + " DataNodes.");
  private static final Setting<String> TRACKER_BIND_HOST =
      Setting.text(
          PREFIX + "tracker.bind-host",
          "0.0.0.0",
          "an address of the NameNode",
          "The address on which a NameNode's tracker listens. By default it listens on all of its"
              + " addresses.");
  private static final Setting<Integer> TRACKER_HANDLERS =
      Setting.integer(
          PREFIX + "tracker.handlers",
          "4",
          1,
          64,
          "The number of threads with which a NameNode's tracker answers DataNodes.");

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
