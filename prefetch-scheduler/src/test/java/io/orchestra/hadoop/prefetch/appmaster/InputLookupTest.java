package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.junit.jupiter.api.Test;

final class InputLookupTest {
  private final FakeJob job = new FakeJob();

  @Test
  void whatANameNodeDoesNotTellDuringItsFailoverIsAskedAnotherTime() {
    job.map(0, TaskAttemptState.STARTING);
    AtomicInteger asked = new AtomicInteger();
    try (InputLookup lookup =
        new InputLookup(
            map -> {
              if (asked.incrementAndGet() == 1) {
                throw new IOException("standby");
              }
              return List.of();
            },
            Duration.ofMillis(1))) {
      lookup.ask(job.job(), List.of(0));
      await().until(() -> asked.get() == 1);
      assertThat(lookup.take()).isEmpty();

      List<TaskInputProto> found =
          await()
              .until(
                  () -> {
                    lookup.ask(job.job(), List.of(0));
                    return lookup.take();
                  },
                  taken -> !taken.isEmpty());
      assertThat(found).extracting(TaskInputProto::getTask).containsOnly(0);
    }
  }

  /** The scheduler asks twice a second. */
  @Test
  void whatCouldNotBeLookedUpIsLeftAloneForAWhile() throws InterruptedException {
    job.map(0, TaskAttemptState.STARTING);
    job.map(1, TaskAttemptState.STARTING);
    List<Integer> asked = new CopyOnWriteArrayList<>();
    try (InputLookup lookup =
        new InputLookup(
            map -> {
              asked.add(map.getID().getId());
              throw new IOException("no such split");
            })) {
      for (int number : List.of(0, 0, 1)) {
        lookup.ask(job.job(), List.of(number));
        await().until(() -> asked.contains(number));
        // Until its end has been noted.
        await().until(() -> !lookup.isLooking());
      }
    }

    assertThat(asked).containsExactly(0, 1);
  }

  @Test
  void anErrorOfALookUpStaysInIt() {
    job.map(0, TaskAttemptState.STARTING);
    AtomicInteger asked = new AtomicInteger();
    try (InputLookup lookup =
        new InputLookup(
            map -> {
              asked.incrementAndGet();
              throw new NoClassDefFoundError("made up");
            },
            Duration.ofMillis(1))) {
      await()
          .until(
              () -> {
                lookup.ask(job.job(), List.of(0));
                return asked.get() > 2;
              });
      assertThat(lookup.take()).isEmpty();
    }
  }
}
