package io.orchestra.hadoop.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class SignalScopeTest {
  @Test
  void terminatedProcessEndsOnlyAfterItsThreadHasTakenBackItsWork() throws Exception {
    Process process = ChildJvm.running(Worker.class).start();
    try (var output = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("working");
      process.toHandle().destroy();
      assertThat(output.lines())
          .containsExactly("interrupted", "taken back undisturbed", "interrupted again");
      assertThat(process.onExit().join().exitValue()).isEqualTo(128 + 15);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void interruptDuringTheEndWaitsUntilItIsOver() {
    try (SignalScope scope = SignalScope.begin()) {
      Thread.currentThread().interrupt();
      scope.beginEnd();
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Works until it is interrupted. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) {
      SignalScope outer = SignalScope.begin();
      SignalScope scope = SignalScope.begin();
      try {
        System.out.println("working");
        Waiting.until(() -> false, "nothing", 60);
      } catch (TestbedException e) {
        System.out.println("interrupted");
      } finally {
        scope.beginEnd();
        System.out.println(
            Thread.currentThread().isInterrupted() ? "disturbed" : "taken back undisturbed");
        scope.close();
        System.out.println(
            Thread.currentThread().isInterrupted() ? "interrupted again" : "forgotten");
        outer.close();
      }
    }
  }
}
