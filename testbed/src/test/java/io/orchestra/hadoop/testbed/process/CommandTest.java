package io.orchestra.hadoop.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void environmentAndDirectoryAreThoseAskedFor(@TempDir Path directory) throws IOException {
    Command env = Command.of("/usr/bin/env").withOnly(Map.of("A", "1")).adding(Map.of("B", "2"));
    assertThat(env.output().lines()).containsExactlyInAnyOrder("A=1", "B=2");
    assertThat(Command.of("pwd", "-P").in(directory).output().strip())
        .isEqualTo(directory.toRealPath().toString());
  }

  @Test
  void runIntoAFileAddsToIt(@TempDir Path directory) {
    Path log = directory.resolve("log");
    assertThat(Command.of("bash", "-c", "echo one; exit 3").run(log)).isEqualTo(3);
    assertThat(Command.of("bash", "-c", "echo two >&2").run(log)).isZero();
    assertThat(log).hasContent("one\ntwo\n");
  }

  @Test
  void programThatTakesTooLongIsKilledWithAllItStarted(@TempDir Path directory) throws IOException {
    Path pid = directory.resolve("pid");
    Command stubborn =
        Command.of("bash", "-c", "sleep 1000 & echo $! > " + pid + "; wait")
            .named("the sleeper")
            .within(Duration.ofSeconds(5));
    assertThatThrownBy(stubborn::run).hasMessageContaining("the sleeper has not ended");
    long sleeping = Long.parseLong(Files.readString(pid).strip());
    assertThat(ProcessTable.ofThisMachine().find(sleeping)).isEmpty();
  }

  @Test
  void interruptEndsTheProgram(@TempDir Path directory) {
    Path log = directory.resolve("log");
    Waiting.until(
        () -> ProcessHandle.current().children().findAny().isEmpty(),
        "the end of those that tests before this one have killed",
        60);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Command.of("sleep", "1000").run(log))
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ProcessHandle.current().children()).isEmpty();
  }
}
