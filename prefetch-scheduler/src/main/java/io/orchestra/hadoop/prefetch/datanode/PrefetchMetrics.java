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
    record.addCounter(Interns.info("Started", "Blocks that were to be copied"), started.sum());
    ended.forEach(
        (state, count) -> {
          if (state != State.COPYING) {
            record.addCounter(
                Interns.info(
                    CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, state.name()),
                    "Copies that ended in this way"),
                count.sum());
          }
        });
    record.addCounter(Interns.info("Cancelled", "Copies given up"), cancelled.sum());
    record.addCounter(Interns.info("BytesCopied", "Bytes copied"), copied.sum());
    record.addCounter(
        Interns.info(
            "BytesUsed", "Bytes of copied blocks that maps read before their time was over"),
        foretold.used.sum());
    record.addCounter(
        Interns.info("BytesWasted", "Bytes of copied blocks that no map read"),
        foretold.wasted.sum());
    record.addCounter(
        Interns.info(
            "ConfirmedBytesUsed",
            "As BytesUsed, for blocks wanted only once their map had its container"),
        confirmed.used.sum());
    record.addCounter(
        Interns.info(
            "ConfirmedBytesWasted",
            "As BytesWasted, for blocks wanted only once their map had its container"),
        confirmed.wasted.sum());
    record.addGauge(
        Interns.info(
            "BytesWaiting", "Lengths of blocks on their way, and of those kept to be read"),
        room.taken());
  }

  @Override
  public void close() {
    registration.close();
  }
}
