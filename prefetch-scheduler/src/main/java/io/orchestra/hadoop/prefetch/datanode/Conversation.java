package io.orchestra.hadoop.prefetch.datanode;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;

/**
 * What has been said between this daemon and the coordinator. Responses may be lost, repeated and
 * overtaken: each command is done once, and in its turn. Safe for concurrent use.
 */
final class Conversation {
  /** Minimum rates of what this host sends. */
  interface Rates {
    void set(ShapeProto shape);

    /** All rates end: another coordinator has other flows, or this one has given up all of them. */
    void forget();
  }

  private final Prefetches prefetches;
  private final Rates rates;

  // Guarded by this.
  private long epoch;
  private long done;

  /**
   * @param rates of what this host sends
   */
  Conversation(Prefetches prefetches, Rates rates) {
    this.prefetches = prefetches;
    this.rates = rates;
  }

  /**
   * @param hold whether the coordinator may wait with its answer
   */
  synchronized PollProto question(DaemonProto self, boolean hold) {
    PollProto.Builder question =
        PollProto.newBuilder().setSelf(self).setEpoch(epoch).setDone(done).setHold(hold);
    if (!hold) {
      question.addAllFlows(prefetches.states());
    }
    return question.build();
  }

  synchronized void answered(PollProto question, PollResponseProto answer) {
    if (answer.getEpoch() != epoch) {
      if (question.getEpoch() != epoch) {
        // From one that another has followed.
        return;
      }
      epoch = answer.getEpoch();
      done = 0;
      prefetches.startAnew();
      rates.forget();
    } else if (question.getEpoch() == epoch) {
      prefetches.told(question.getFlowsList());
    }
    for (CommandProto command : answer.getCommandsList()) {
      if (command.getNumber() > done) {
        if (command.hasShape()) {
          rates.set(command.getShape());
        } else if (command.getForgetShapes()) {
          rates.forget();
        } else {
          prefetches.obey(command);
        }
        done = command.getNumber();
      }
    }
  }
}
