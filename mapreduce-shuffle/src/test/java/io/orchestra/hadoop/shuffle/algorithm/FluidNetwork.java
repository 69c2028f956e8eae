package io.orchestra.hadoop.shuffle.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Flows from senders to receivers without a network: each crosses the link of its sender and that
 * of its receiver, all links are equal, and flows share them max-min fairly by weight, as TCP would
 * in the long run if all weights are 1. Nothing but links takes time. One unit of work is what a
 * link carries in one unit of time.
 */
final class FluidNetwork {
  /** What remains of a flow, or of a link, that is over or full but for rounding. */
  private static final double NOTHING = 1e-9;

  private final int senders;
  private final int links;
  private final List<Flow> flows = new ArrayList<>();
  private boolean shared = true;

  /** Work that is under way. */
  static final class Flow {
    private final int up;
    private final int down;
    private final double weight;
    private double left;
    private double rate;

    private Flow(int up, int down, double weight, double left) {
      this.up = up;
      this.down = down;
      this.weight = weight;
      this.left = left;
    }

    double rate() {
      return rate;
    }
  }

  FluidNetwork(int senders, int receivers) {
    this.senders = senders;
    links = senders + receivers;
  }

  Flow start(int sender, int receiver, double work, double weight) {
    Flow flow = new Flow(sender, senders + receiver, weight, work);
    flows.add(flow);
    shared = false;
    return flow;
  }

  /** Time until the next flow ends if none begins before; empty if there are none. */
  OptionalDouble untilNextEnd() {
    share();
    return flows.stream().mapToDouble(flow -> flow.left / flow.rate).min();
  }

  /**
   * Lets time pass.
   *
   * @param time no more than {@link #untilNextEnd}
   * @return the flows that have ended
   */
  List<Flow> advance(double time) {
    share();
    flows.forEach(flow -> flow.left -= flow.rate * time);
    List<Flow> ended = flows.stream().filter(flow -> flow.left <= NOTHING).toList();
    if (!ended.isEmpty()) {
      flows.removeIf(flow -> flow.left <= NOTHING);
      shared = false;
    }
    return ended;
  }

  /** Progressive filling: rates grow in proportion to weights until a link of theirs is full. */
  private void share() {
    if (shared) {
      return;
    }
    shared = true;
    double[] used = new double[links];
    List<Flow> growing = new ArrayList<>(flows);
    flows.forEach(flow -> flow.rate = 0);
    while (!growing.isEmpty()) {
      double[] weights = new double[links];
      for (Flow flow : growing) {
        weights[flow.up] += flow.weight;
        weights[flow.down] += flow.weight;
      }
      double growth = Double.POSITIVE_INFINITY;
      for (int link = 0; link < links; link++) {
        if (weights[link] > 0) {
          growth = Math.min(growth, (1 - used[link]) / weights[link]);
        }
      }
      for (int link = 0; link < links; link++) {
        used[link] += growth * weights[link];
      }
      for (Flow flow : growing) {
        flow.rate += growth * flow.weight;
      }
      growing.removeIf(flow -> full(used[flow.up]) || full(used[flow.down]));
    }
  }

  private static boolean full(double used) {
    return 1 - used <= NOTHING;
  }
}
