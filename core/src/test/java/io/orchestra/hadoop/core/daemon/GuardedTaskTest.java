package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class GuardedTaskTest {
  private final AtomicReference<Throwable> trouble = new AtomicReference<>();
  private final List<Throwable> told = new ArrayList<>();
  private final GuardedTask task = new GuardedTask(this::work, told::add);

  private void work() {
    if (trouble.get() instanceof Error error) {
      throw error;
    }
    if (trouble.get() instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private void runWith(Throwable next) {
    trouble.set(next);
    task.run();
  }

  @Test
  void theSameTroubleIsToldOnce() {
    Throwable first = new IllegalStateException("one");
    runWith(first);
    runWith(new IllegalStateException("two"));
    assertThat(told).containsExactly(first);
  }

  @Test
  void anotherTroubleIsToldToo() {
    Throwable first = new IllegalStateException("one");
    Throwable other = new OutOfMemoryError("two");
    runWith(first);
    runWith(other);
    assertThat(told).containsExactly(first, other);
  }

  @Test
  void theSameTroubleIsToldAgainWhenItHadGoneWell() {
    Throwable first = new IllegalStateException("one");
    Throwable again = new IllegalStateException("two");
    runWith(first);
    runWith(null);
    runWith(again);
    assertThat(told).containsExactly(first, again);
  }

  @Test
  void itThrowsNothingEvenIfNobodyCanBeTold() {
    GuardedTask mute =
        new GuardedTask(
            this::work,
            e -> {
              throw new OutOfMemoryError("none left");
            });
    trouble.set(new StackOverflowError());
    assertThatCode(mute::run).doesNotThrowAnyException();
  }
}
