package io.orchestra.hadoop.broadcast.namenode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a tracker knows, for the servlet.
 *
 * @param declines how often receivers were sent back to HDFS, by reason
 * @param recentDeclines the last of them, the latest first
 * @param inferredRacks number of the rack by DataNode; empty while nothing was inferred
 */
record TrackerReport(
    List<PeerReport> peers,
    List<SwarmReport> swarms,
    Map<String, Long> declines,
    List<DeclineReport> recentDeclines,
    Map<String, Integer> inferredRacks) {

  /**
   * A peer that is there.
   *
   * @param sends bytes per second, all that leaves its host; 0 if that is not known
   */
  record PeerReport(String datanode, String host, int port, String rack, long sends) {}

  /**
   * A receiver that was sent back to HDFS.
   *
   * @param path of the file; empty if that was not looked up, or is not known
   * @param block that somebody wanted to read
   */
  record DeclineReport(
      long secondsAgo, String datanode, String path, String block, String reason) {}

  /**
   * A swarm.
   *
   * @param length bytes
   * @param pieceLength bytes
   */
  record SwarmReport(
      String path,
      String firstBlock,
      long length,
      int pieceLength,
      int pieces,
      List<MemberReport> receivers) {}

  /**
   * A receiver.
   *
   * @param pieces it has
   * @param fromSeeds bytes
   * @param fromPeers bytes
   * @param receives bytes per second of the file, of late
   * @param corrupt pieces with a wrong checksum
   */
  record MemberReport(
      String datanode,
      int rank,
      int pieces,
      long fromSeeds,
      long fromPeers,
      long receives,
      int corrupt) {}

  static TrackerReport of(Swarms swarms, LearnedRacks racks) {
    synchronized (swarms) {
      return new TrackerReport(
          swarms.peers().stream()
              .map(
                  peer ->
                      new PeerReport(
                          peer.datanode(),
                          peer.host(),
                          peer.port(),
                          peer.rack(),
                          swarms.transmitted(peer)))
              .toList(),
          swarms.swarms().stream().map(TrackerReport::of).toList(),
          Map.copyOf(swarms.declines()),
          swarms.recentDeclines().stream().map(decline -> of(decline, swarms)).toList(),
          racks.racks());
    }
  }

  private static DeclineReport of(Declines.Decline decline, Swarms swarms) {
    return new DeclineReport(
        TimeUnit.NANOSECONDS.toSeconds(swarms.since(decline.time())),
        decline.datanode(),
        decline.path(),
        decline.block().toString(),
        decline.reason());
  }

  private static SwarmReport of(Swarm swarm) {
    return new SwarmReport(
        swarm.file().path(),
        swarm.file().name().toString(),
        swarm.file().length(),
        swarm.pieceLength(),
        swarm.pieces(),
        swarm.members().stream()
            .map(
                member ->
                    new MemberReport(
                        member.datanode(),
                        member.rank(),
                        member.present(),
                        member.fromSeeds(),
                        member.fromPeers(),
                        member.rate(),
                        member.corrupt()))
            .toList());
  }
}
