package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.base.CaseFormat;
import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import java.io.Closeable;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** The metrics source {@code OrchestraPrefetchDaemon} of a DataNode, in the context {@code dfs}. */
final class PrefetchMetrics implements MetricsSource, Closeable {
  private static final String NAME = "OrchestraPrefetchDaemon";

  private final Map<State, LongAdder> ended = new EnumMap<>(State.class);
  private final LongAdder started = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final LongAdder copied = new LongAdder();
  private final Fate foretold = new Fate();
  private final Fate confirmed = new Fate();
  private final UserBudget room;
  private final MetricsRegistration registration;

  /** What came of bytes that were brought. */
  private static final class Fate {
    private final LongAdder used = new LongAdder();
    private final LongAdder wasted = new LongAdder();
  }

  PrefetchMetrics(UserBudget room) {
    this.room = room;
    for (State state : State.values()) {
      ended.put(state, new LongAdder());
    }
    registration = MetricsRegistration.register(NAME, "Blocks brought before they are read", this);
  }

  void started() {
    started.increment();
  }

  void ended(State state) {
    ended.get(state).increment();
  }

  void cancelled() {
    cancelled.increment();
  }

  void copied(long bytes) {
    copied.add(bytes);
  }

  /**
   * A block has had its time.
   *
   * @param isConfirmed whether its map had its container before it was wanted
   */
  void released(long bytes, long read, boolean isConfirmed) {
    Fate fate = isConfirmed ? confirmed : foretold;
    fate.used.add(read);
    fate.wasted.add(bytes - read);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    record.addCounter(Interns.info("Started", "Blocks that were to be brought"), started.sum());
    ended.forEach(
        (state, count) -> {
          if (state != State.COPYING) {
            record.addCounter(
                Interns.info(
                    CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, state.name()),
                    "Of these, ended so"),
                count.sum());
          }
        });
    record.addCounter(Interns.info("Cancelled", "Of these, given up"), cancelled.sum());
    record.addCounter(Interns.info("BytesCopied", "That have come"), copied.sum());
    record.addCounter(
        Interns.info("BytesUsed", "That were read in their time"), foretold.used.sum());
    record.addCounter(Interns.info("BytesWasted", "That were not"), foretold.wasted.sum());
    record.addCounter(
        Interns.info("ConfirmedBytesUsed", "The same of blocks of maps with containers"),
        confirmed.used.sum());
    record.addCounter(
        Interns.info("ConfirmedBytesWasted", "Of these, not read"), confirmed.wasted.sum());
    record.addGauge(Interns.info("BytesWaiting", "Of blocks not read yet"), room.taken());
  }

  @Override
  public void close() {
    registration.close();
  }
}
