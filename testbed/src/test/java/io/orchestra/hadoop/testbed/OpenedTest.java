package io.orchestra.hadoop.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenedTest {
  private final List<String> events = new ArrayList<>();
  private final AutoCloseable opened = () -> events.add("closed");

  @Test
  void whatWasOpenedStaysOpenIfWhatFollowsSucceeds() {
    String result = Opened.then(opened, same -> "result");
    AutoCloseable prepared = Opened.prepared(opened, same -> events.add("prepared"));

    assertThat(result).isEqualTo("result");
    assertThat(prepared).isSameAs(opened);
    assertThat(events).containsExactly("prepared");
  }

  @Test
  void whatWasOpenedIsClosedIfWhatFollowsFails() {
    TestbedException failure = new TestbedException("no room");

    assertThatThrownBy(
            () ->
                Opened.prepared(
                    opened,
                    same -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(events).containsExactly("closed");
  }

  @Test
  void whyItFailedIsSaidAlsoIfClosingFails() {
    TestbedException failure = new TestbedException("no room");
    AutoCloseable stuck =
        () -> {
          throw new IllegalStateException("it does not end");
        };

    assertThatThrownBy(
            () ->
                Opened.then(
                    stuck,
                    same -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(failure.getSuppressed())
        .extracting(Throwable::getMessage)
        .containsExactly("it does not end");
  }
}
