package io.orchestra.hadoop.testbed.agent;

import com.google.common.base.Splitter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a program is told and answers. Answers may come from any thread. */
final class Conversation {
  private final PrintStream answers = System.out;

  /** Carries out one line of words; an exception is answered and does not end the program. */
  @FunctionalInterface
  interface Listener {
    void hear(String verb, List<String> arguments) throws Exception;
  }

  /** From now on what Hadoop prints goes to standard error, which is the program's log. */
  Conversation() {
    System.setOut(System.err);
  }

  void answer(String line) {
    synchronized (answers) {
      answers.println(line);
      answers.flush();
    }
  }

  /** Answers that something did not work, in one line. */
  void fail(Throwable cause) {
    cause.printStackTrace();
    answer("failed " + cause.toString().replace('\n', ' '));
  }

  /** Returns when the input ends. */
  void listen(Listener listener) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(line);
      try {
        listener.hear(words.get(0), words.subList(1, words.size()));
      } catch (Exception e) {
        fail(e);
      }
    }
  }
}
