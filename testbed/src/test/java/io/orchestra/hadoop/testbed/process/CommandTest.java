package io.orchestra.hadoop.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CommandTest {
  @Test
  void collectsStatusOutputAndError() {
    Command.Outcome outcome =
        Command.of("bash", "-c", "cat; echo no >&2; exit 7").reading("in").run();
    assertThat(outcome).isEqualTo(new Command.Outcome(7, "in", "no\n"));
  }

  @Test
  void failureSaysWhatTheProgramSaid() {
    assertThatThrownBy(() -> Command.of("bash", "-c", "echo why >&2; exit 1").output())
        .hasMessageContaining("status 1")
        .hasMessageContaining("why");
  }

  @Test
  void missingProgramIsNamed() {
    assertThatThrownBy(() -> Command.of("no-such-program").run())
        .hasMessageContaining("no-such-program");
  }

  @Test
  void largeOutputsOnBothStreamsDoNotBlock() {
    Command.Outcome outcome =
        Command.of("bash", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2").run();
    assertThat(outcome.output()).hasSize(300_000);
    assertThat(outcome.error()).hasSize(300_000);
  }
}
