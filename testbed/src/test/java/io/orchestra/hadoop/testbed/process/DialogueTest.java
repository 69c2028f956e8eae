package io.orchestra.hadoop.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DialogueTest {
  private static final Duration LONGEST = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void answersComeLineByLineUntilTheEnd() {
    try (Dialogue dialogue = talk("while read -r line; do echo \"<$line>\"; done; echo bye")) {
      dialogue.send("one");
      assertThat(dialogue.receive(LONGEST)).isEqualTo("<one>");
      dialogue.send("two");
      assertThat(dialogue.receive(LONGEST)).isEqualTo("<two>");
      dialogue.close();
      assertThat(dialogue.receive(LONGEST)).isEqualTo("bye");
      assertThatThrownBy(() -> dialogue.receive(LONGEST)).hasMessageContaining("test has ended");
      assertThatThrownBy(() -> dialogue.receive(LONGEST)).hasMessageContaining("test has ended");
    }
  }

  @Test
  void silenceIsAFailureAtTheLimit() {
    try (Dialogue dialogue = talk("read -r line")) {
      assertThatThrownBy(() -> dialogue.receive(Duration.ofMillis(1)))
          .hasMessageContaining("test has said nothing")
          .hasMessageContaining(directory.toString());
    }
  }

  @Test
  void interruptedListenerFailsAndEndsTheProgramAtOnce() {
    Dialogue dialogue = talk("trap '' TERM; while :; do sleep 1000; done");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> dialogue.receive(LONGEST)).hasMessageContaining("interrupted");
    dialogue.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(dialogue.program().isAlive()).isFalse();
  }

  @Test
  void theEndOfItsInputLetsAProgramEndItself() {
    try (Dialogue dialogue = talk("while read -r line; do :; done; echo bye")) {
      dialogue.endInput();
      assertThat(dialogue.receive(LONGEST)).isEqualTo("bye");
    }
  }

  @Test
  void errorsGoToTheLog() {
    try (Dialogue dialogue = talk("echo why >&2; echo done")) {
      assertThat(dialogue.receive(LONGEST)).isEqualTo("done");
    }
    assertThat(directory.resolve("log")).hasContent("why");
  }

  private Dialogue talk(String script) {
    return Command.of("bash", "-c", script).named("test").talk(directory.resolve("log"));
  }
}
