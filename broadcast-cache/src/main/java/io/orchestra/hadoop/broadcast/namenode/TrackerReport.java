package io.orchestra.hadoop.broadcast.namenode;

import java.util.List;
import java.util.Map;

/**
 * What a tracker knows, for the servlet.
 *
 * @param declines how often receivers were sent back to HDFS, by reason
 * @param inferredRacks number of the rack by DataNode; empty while nothing was inferred
 */
record TrackerReport(
    List<PeerReport> peers,
    List<SwarmReport> swarms,
    Map<String, Long> declines,
    Map<String, Integer> inferredRacks) {

  /**
   * A peer that is there.
   *
   * @param sends bytes per second, all that leaves its host; 0 if that is not known
   */
  record PeerReport(String datanode, String host, int port, String rack, long sends) {}

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
          racks.racks());
    }
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
