package io.orchestra.hadoop.testbed.bench.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.bench.Check;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class FaultyBroadcastTest {
  private static final Trial TRIAL = new Trial(1, 1, false);

  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch broken = new CountDownLatch(1);
  private final FaultyBroadcast broadcast =
      new FaultyBroadcast(
          new Waiting(),
          new FaultyBroadcast.Disturbance(
              "a cable breaks",
              () -> {
                events.add("broken");
                broken.countDown();
              },
              () -> events.add("mended"),
              Duration.ZERO,
              Duration.ZERO));

  /** The file comes when something has gone wrong. */
  private final class Waiting implements Broadcast {
    @Override
    public void prepare(Trial trial) {
      events.add("prepared");
    }

    @Override
    public Measurement measure(Trial trial) throws InterruptedException {
      broken.await();
      events.add("received");
      return Measurement.builder().figure("time [s]", 1).build();
    }

    @Override
    public void inspect(Trial trial, Measurement.Builder measurement) {
      events.add("inspected");
    }

    @Override
    public void cleanUp() {
      events.add("cleaned up");
    }
  }

  @Test
  void mendingIsNoPartOfWhatIsMeasured() throws Exception {
    broadcast.prepare(TRIAL);
    Measurement measured = broadcast.measure(TRIAL);
    assertThat(events).containsExactly("prepared", "broken", "received");

    Measurement.Builder more = measured.toBuilder();
    broadcast.inspect(TRIAL, more);
    broadcast.cleanUp();

    assertThat(events).endsWith("received", "mended", "inspected", "cleaned up");
    assertThat(more.build().checks())
        .extracting(Check::name)
        .containsExactly("something went wrong while the file was on its way");
  }
}
