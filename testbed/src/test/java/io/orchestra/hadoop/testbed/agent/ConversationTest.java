package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ConversationTest {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private Conversation conversation;

  @BeforeEach
  void listen() {
    System.setOut(new PrintStream(answers, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    conversation = new Conversation();
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  @Test
  void whatHadoopPrintsIsNoAnswer() {
    System.out.println("a warning");
    conversation.answer("done");

    assertThat(text(answers)).isEqualTo("done\n");
    assertThat(text(log)).isEqualTo("a warning\n");
  }

  /** As of a NameNode that refuses, whose stack trace is in the message. */
  @Test
  void aFailureIsOneLineWithAllItsCauses() {
    IOException refused = new IOException("no such directory\n\tat a.Server.call(Server.java:1)");
    conversation.fail(new IOException("cannot write /f", refused));

    assertThat(text(answers))
        .isEqualTo(
            "failed java.io.IOException: cannot write /f, because of java.io.IOException: no such directory\n");
    assertThat(text(log)).isEqualTo(text(answers));
  }

  @Test
  void aCauseThatItsEffectTellsIsNotToldTwice() {
    conversation.fail(new IOException(new FileNotFoundException("/f")));

    assertThat(text(answers))
        .isEqualTo("failed java.io.IOException: java.io.FileNotFoundException: /f\n");
  }

  @Test
  void ofWhatShouldNotHappenTheLogTellsWhere() {
    conversation.fail(new IllegalStateException("no oracle reports"));

    assertThat(text(answers))
        .isEqualTo("failed java.lang.IllegalStateException: no oracle reports\n");
    assertThat(text(log)).contains("\tat " + ConversationTest.class.getName());
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
