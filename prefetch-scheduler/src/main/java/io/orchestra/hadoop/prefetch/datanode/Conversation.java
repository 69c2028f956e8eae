package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.Comparators;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been said between this daemon and the coordinator, and when it is time to tell more.
 * Responses may be lost, repeated and overtaken: each command is done once, and in its turn. Safe
 * for concurrent use.
 */
final class Conversation {
  private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
  private static final Duration USUAL_NEWS_PAUSE = Duration.ofMillis(500);
  private static final Duration LEAST_NEWS_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_NEWS_PAUSE = Duration.ofSeconds(5);

  /** Minimum rates of what this host sends. */
  interface Rates {
    void set(ShapeProto shape);

    /** All rates end: another coordinator has other flows, or this one has given up all of them. */
    void forget();
  }

  private final Prefetches prefetches;
  private final Rates rates;
  private final Semaphore news;

  // Guarded by this.
  private long epoch;
  private long done;
  private Duration newsPause = USUAL_NEWS_PAUSE;

  /**
   * @param rates of what this host sends
   * @param news released whenever there is something to tell at once
   */
  Conversation(Prefetches prefetches, Rates rates, Semaphore news) {
    this.prefetches = prefetches;
    this.rates = rates;
    this.news = news;
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

  /** Waits as long as the coordinator wants to hear nothing, unless there is something to tell. */
  void awaitNews() throws InterruptedException {
    if (news.tryAcquire(newsPause().toMillis(), TimeUnit.MILLISECONDS)) {
      news.drainPermits();
    }
  }

  @VisibleForTesting
  synchronized Duration newsPause() {
    return newsPause;
  }

  private static Duration asked(int millis) {
    Duration asked = Duration.ofMillis(Integer.toUnsignedLong(millis));
    return Comparators.min(Comparators.max(asked, LEAST_NEWS_PAUSE), LONGEST_NEWS_PAUSE);
  }

  /** One that cannot be obeyed does not hold up those after it: it would come again and again. */
  private void obey(CommandProto command) {
    try {
      if (command.hasShape()) {
        rates.set(command.getShape());
      } else if (command.getForgetShapes()) {
        rates.forget();
      } else {
        prefetches.obey(command);
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("What the prefetch coordinator wants cannot be done, and is left out", e);
    }
  }

  /** Whoever waits with news is woken if the coordinator wants to hear sooner than it said. */
  synchronized void answered(PollProto question, PollResponseProto answer) {
    boolean isNew = false;
    if (answer.getEpoch() != epoch) {
      if (question.getEpoch() != epoch) {
        // From one that another has followed.
        return;
      }
      isNew = true;
      epoch = answer.getEpoch();
      done = 0;
      prefetches.startAnew();
      rates.forget();
    } else if (question.getEpoch() == epoch) {
      prefetches.told(question.getFlowsList());
    }
    Duration before = newsPause;
    newsPause = answer.hasMillisToNews() ? asked(answer.getMillisToNews()) : USUAL_NEWS_PAUSE;
    for (CommandProto command : answer.getCommandsList()) {
      if (command.getNumber() > done) {
        done = command.getNumber();
        obey(command);
      }
    }
    if (isNew || newsPause.compareTo(before) < 0) {
      news.release();
    }
  }
}
