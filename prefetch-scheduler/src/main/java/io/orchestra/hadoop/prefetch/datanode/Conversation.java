package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.Comparators;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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

  /** For which news that changes nothing is left out; what a coordinator knows lasts for five. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(3);

  /** Minimum rates of what this host sends. */
  interface Rates {
    void set(ShapeProto shape);

    /** All rates end: another coordinator has other flows, or this one has given up all of them. */
    void forget();
  }

  private final Prefetches prefetches;
  private final Rates rates;
  private final Semaphore news;
  private final LongSupplier clock;

  // Guarded by this.
  private long epoch;
  private long done;
  private Duration newsPause = USUAL_NEWS_PAUSE;

  /** What the coordinator has heard of this host and its link last. */
  private DaemonProto told = DaemonProto.getDefaultInstance();

  /** When that was measured, nanoseconds. */
  private long toldAt;

  /** The same of what is on its way. */
  private long tellingAt;

  /** By which what passes the link may change unheard; empty if no news may be left out. */
  private OptionalLong noticeable = OptionalLong.empty();

  /**
   * @param rates of what this host sends
   * @param news released whenever there is something to tell at once
   * @param clock nanoseconds
   */
  Conversation(Prefetches prefetches, Rates rates, Semaphore news, LongSupplier clock) {
    this.prefetches = prefetches;
    this.rates = rates;
    this.news = news;
    this.clock = clock;
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

  /**
   * How copies go, and what passes the link; empty if the coordinator knows as much, and need not
   * hear it again.
   *
   * @param self measured just now
   */
  synchronized Optional<PollProto> news(DaemonProto self) {
    PollProto question = question(self, false);
    if (question.getFlowsCount() == 0 && isKnown(self)) {
      return Optional.empty();
    }
    tellingAt = clock.getAsLong();
    return Optional.of(question);
  }

  /** Whether it is known well enough until the next time that there may be news. */
  private boolean isKnown(DaemonProto self) {
    long nextTime = clock.getAsLong() + newsPause.toNanos();
    return noticeable.isPresent()
        && nextTime - toldAt <= LONGEST_SILENCE.toNanos()
        && withoutLoad(self).equals(withoutLoad(told))
        && (!self.hasSent() || hasLoadOf(told, self, noticeable.getAsLong()));
  }

  private static boolean hasLoadOf(DaemonProto one, DaemonProto other, long noticeable) {
    return Math.abs(one.getSent() - other.getSent()) <= noticeable
        && Math.abs(one.getReceived() - other.getReceived()) <= noticeable;
  }

  private static DaemonProto withoutLoad(DaemonProto self) {
    return self.toBuilder().clearSent().clearReceived().clearMillisMeasured().build();
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

  /** The coordinator has heard what passes the link. */
  private void heard(DaemonProto self, PollResponseProto answer) {
    told = self;
    toldAt = tellingAt;
    noticeable =
        answer.hasNoticeable() ? OptionalLong.of(answer.getNoticeable()) : OptionalLong.empty();
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
      told = DaemonProto.getDefaultInstance();
      noticeable = OptionalLong.empty();
      prefetches.startAnew();
      rates.forget();
    } else if (question.getEpoch() == epoch) {
      prefetches.told(question.getFlowsList());
      if (question.getSelf().hasSent()) {
        heard(question.getSelf(), answer);
      }
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
