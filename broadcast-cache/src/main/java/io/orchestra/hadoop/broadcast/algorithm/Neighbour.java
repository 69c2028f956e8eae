package io.orchestra.hadoop.broadcast.algorithm;

import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a receiver knows of one neighbour: what it has, what it was asked for, and how long it
 * takes. Times are in nanoseconds.
 *
 * @param <N> its identity
 */
final class Neighbour<N> {
  private static final double WEIGHT_OF_NEW = 0.3;

  private final N name;
  private final Place place;
  private final BitSet has = new BitSet();

  /** The longest ago first. */
  private final Map<Integer, Question> asked = new LinkedHashMap<>();

  private long lastArrival = Long.MIN_VALUE;
  private double serviceTime;
  private boolean near;

  /**
   * @param ahead pieces it owed when it was asked
   */
  private record Question(long since, int ahead) {}

  Neighbour(N name, Place place) {
    this.name = name;
    this.place = place;
  }

  N name() {
    return name;
  }

  Place place() {
    return place;
  }

  boolean near() {
    return near;
  }

  void setNear(boolean near) {
    this.near = near;
  }

  /** The pieces it has; live. */
  BitSet has() {
    return has;
  }

  /** The pieces it was asked for and has not sent, the longest ago first; live. */
  Set<Integer> asked() {
    return Collections.unmodifiableSet(asked.keySet());
  }

  boolean wasAsked(int piece) {
    return asked.containsKey(piece);
  }

  int inFlight() {
    return asked.size();
  }

  /**
   * @return false if it was asked for it already
   */
  boolean ask(int piece, long now) {
    return asked.putIfAbsent(piece, new Question(now, asked.size())) == null;
  }

  /**
   * It will not send a piece, or need not.
   *
   * @return false if it was not asked for it
   */
  boolean takeBack(int piece) {
    return asked.remove(piece) != null;
  }

  /**
   * It has sent a piece.
   *
   * @return false if it was not asked for it; then this says nothing about its speed
   */
  boolean sent(int piece, long now) {
    Question question = asked.remove(piece);
    if (question == null) {
      return false;
    }
    double time = now - Math.max(question.since(), lastArrival);
    serviceTime =
        serviceTime == 0 ? time : (1 - WEIGHT_OF_NEW) * serviceTime + WEIGHT_OF_NEW * time;
    lastArrival = now;
    return true;
  }

  /**
   * Whether a piece should have come, with those that were asked for before it. That others came
   * meanwhile is no excuse.
   *
   * @param time of one piece
   * @param least before which nothing is late
   */
  boolean isLate(int piece, long now, double time, long least) {
    Question question = asked.get(piece);
    return now - question.since() >= Math.max(least, (question.ahead() + 1) * time);
  }

  /** From one piece to the next while something is asked for; 0 if unknown. */
  double serviceTime() {
    return serviceTime;
  }

  /** How long another piece asked for now is likely to take. */
  double expected() {
    return (asked.size() + 1) * serviceTime;
  }

  /** The same, if it has not been silent for longer. */
  double expected(long now) {
    OptionalLong since = waitingSince();
    return since.isEmpty() ? expected() : Math.max(expected(), now - since.getAsLong());
  }

  /** Since when nothing has come of what it was asked for; empty if it owes nothing. */
  OptionalLong waitingSince() {
    return asked.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(asked.values().iterator().next().since(), lastArrival));
  }
}
