package io.orchestra.hadoop.broadcast.namenode;

import com.google.common.collect.ImmutableList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The receivers of one file, in the order they came. Guarded by its {@link Swarms}. */
final class Swarm {
  /** A receiver, and what it said last. */
  static final class Member {
    private final String datanode;
    private final int rank;
    private int present;
    private long fromSeeds;
    private long fromPeers;
    private int corrupt;
    private long heard;
    private long announced;
    private long rate;

    private Member(String datanode, int rank, long now) {
      this.datanode = datanode;
      this.rank = rank;
      heard = now;
    }

    String datanode() {
      return datanode;
    }

    /** How many came before it. */
    int rank() {
      return rank;
    }

    int present() {
      return present;
    }

    long fromSeeds() {
      return fromSeeds;
    }

    long fromPeers() {
      return fromPeers;
    }

    int corrupt() {
      return corrupt;
    }

    /** Bytes per second that came between its last two announcements; 0 after the first. */
    long rate() {
      return rate;
    }

    private void announced(int pieces, long seeds, long peers, int wrong, long now) {
      double seconds = Math.max(1, now - announced) / 1e9;
      long more = seeds + peers - fromSeeds - fromPeers;
      rate = announced == 0 ? 0 : Math.max(0, Math.round(more / seconds));
      announced = now;
      present = pieces;
      fromSeeds = seeds;
      fromPeers = peers;
      corrupt = wrong;
    }
  }

  private final int pieceLength;
  private final boolean teaches;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private TrackedFile file;
  private long looked;
  private int ranks;
  private int pieces;

  /**
   * @param teaches whether it knows nothing of racks, so that racks may be inferred from it
   */
  Swarm(TrackedFile file, int pieceLength, boolean teaches, long now) {
    this.file = file;
    this.pieceLength = pieceLength;
    this.teaches = teaches;
    looked = now;
  }

  TrackedFile file() {
    return file;
  }

  /** When HDFS was asked last where the replicas are. */
  long looked() {
    return looked;
  }

  void renew(TrackedFile newer, long now) {
    file = newer;
    looked = now;
  }

  int pieceLength() {
    return pieceLength;
  }

  boolean teaches() {
    return teaches;
  }

  /** Of the whole file; 0 until a receiver has said so. */
  int pieces() {
    return pieces;
  }

  /** Takes a receiver in, or back. */
  Member join(String datanode, long now) {
    Member member =
        members.computeIfAbsent(datanode, newcomer -> new Member(newcomer, ranks++, now));
    member.heard = now;
    return member;
  }

  void heard(
      String datanode,
      int ofPieces,
      int present,
      long fromSeeds,
      long fromPeers,
      int corrupt,
      long now) {
    pieces = ofPieces;
    join(datanode, now).announced(present, fromSeeds, fromPeers, corrupt, now);
  }

  /** Receivers that have not said that they have all of the file. */
  int reading() {
    return (int)
        members.values().stream()
            .filter(member -> pieces == 0 || member.present() < pieces)
            .count();
  }

  boolean contains(String datanode) {
    return members.containsKey(datanode);
  }

  /** Forgets receivers that have not said since {@code time} that they have the file. */
  void forget(long time) {
    members.values().removeIf(member -> member.heard - time < 0);
  }

  List<Member> members() {
    return ImmutableList.copyOf(members.values());
  }
}
