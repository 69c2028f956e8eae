package io.orchestra.hadoop.testbed.agent;

import com.google.common.base.Splitter;
import com.google.common.base.Throwables;
import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** What a program is told and answers. Answers may come from any thread. */
final class Conversation {
  private static final int LONGEST_GOODBYE_SECONDS = 3;

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

  /**
   * Answers that something did not work, in one line with all its causes. The log has the line too,
   * and where it was thrown if it should not have been.
   */
  void fail(Throwable failure) {
    String why = causes(failure);
    System.err.println("failed " + why);
    if (failure instanceof RuntimeException || failure instanceof Error) {
      System.err.println(Throwables.getStackTraceAsString(failure));
    }
    answer("failed " + why);
  }

  /**
   * The first line of each cause, unless it was told already: Hadoop's RPC puts a server's stack
   * trace into messages.
   */
  private static String causes(Throwable failure) {
    List<String> told = new ArrayList<>();
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      String line = cause.toString().lines().findFirst().orElse("");
      if (told.stream().noneMatch(effect -> effect.contains(line))) {
        told.add(line);
      }
    }
    return String.join(", because of ", told);
  }

  /**
   * Carries out line by line. When the input ends, so does the program: within seconds, whatever is
   * still being carried out, and without waiting for files that are being written.
   */
  void listenToTheEnd(Listener listener) {
    ExecutorService thread =
        Executors.newSingleThreadExecutor(work -> DaemonThread.of("conversation", work));
    try {
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(line);
        thread.execute(() -> hear(listener, words));
      }
      thread.shutdown();
      if (!thread.awaitTermination(LONGEST_GOODBYE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("ended before all was done");
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("the conversation broke off: " + e);
    } finally {
      // Hadoop's shutdown hooks would wait for the last byte of open files.
      Runtime.getRuntime().halt(0);
    }
  }

  private void hear(Listener listener, List<String> words) {
    try {
      listener.hear(words.get(0), words.subList(1, words.size()));
    } catch (Throwable e) {
      fail(e);
    }
  }
}
