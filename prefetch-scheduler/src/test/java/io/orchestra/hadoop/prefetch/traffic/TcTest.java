package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class TcTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void whatItSaysIsTheAnswerOrTheComplaint() throws IOException {
    assertThat(FakeTc.program(directory, LONG, "echo $1 $2 $3 $4").show("eth9"))
        .isEqualTo("qdisc show dev eth9");
    Tc refusing = FakeTc.program(directory, LONG, "/bin/cat\nexit 2");
    assertThatThrownBy(() -> refusing.batch(List.of("made up", "unheard")))
        .isInstanceOf(IOException.class)
        .hasMessage("tc: made up");
  }

  @Test
  @Timeout(60)
  void whoDoesNotEndIsEnded() throws IOException {
    Path pid = directory.resolve("pid");
    Tc endless =
        FakeTc.program(
            directory,
            Duration.ofSeconds(10),
            "echo $$ > '%s'\nexec /bin/sleep 600".formatted(pid));

    assertThatThrownBy(() -> endless.show("eth9"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not end");
    long started = Long.parseLong(Files.readString(pid).strip());
    await().until(() -> !ProcessHandle.of(started).map(ProcessHandle::isAlive).orElse(false));
  }
}
