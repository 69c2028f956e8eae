package io.orchestra.hadoop.testbed.process;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to run another program; nothing happens before one of the verbs is called.
 *
 * <p>A run ends with the program. At the limit, or when this thread is interrupted, the program is
 * killed with all it has started, and the run fails.
 *
 * @param name what it is called in messages
 * @param words the program and its arguments
 * @param environment all of its environment
 * @param directory where it starts; where this process is if empty
 * @param input what it reads, unless it runs on the terminal or is talked with
 * @param limit how long a run may take, unless it is on the terminal
 */
public record Command(
    String name,
    List<String> words,
    Map<String, String> environment,
    Optional<Path> directory,
    String input,
    Duration limit) {
  private static final Duration USUAL_LIMIT = Duration.ofMinutes(2);
  private static final Duration NO_LIMIT = Duration.ofDays(365);

  /** How a program ended and what it wrote. */
  public record Outcome(int status, String output, String error) {
    public boolean succeeded() {
      return status == 0;
    }

    /** What it said about its failure. */
    public String complaint() {
      return (error.isBlank() ? output : error).strip();
    }
  }

  public Command {
    words = List.copyOf(words);
    environment = ImmutableMap.copyOf(environment);
  }

  /** Called as it is written, with this process's environment, no input and two minutes' time. */
  public static Command of(List<String> words) {
    String name = String.join(" ", words);
    return new Command(name, words, System.getenv(), Optional.empty(), "", USUAL_LIMIT);
  }

  public static Command of(String... words) {
    return of(List.of(words));
  }

  /** The same command, called otherwise in messages. */
  public Command named(String other) {
    return new Command(other, words, environment, directory, input, limit);
  }

  /** The same command, reading this text from its standard input. */
  public Command reading(String text) {
    return new Command(name, words, environment, directory, text, limit);
  }

  /** The same command with these variables beside those it has. */
  public Command adding(Map<String, String> variables) {
    ImmutableMap.Builder<String, String> all = ImmutableMap.builder();
    return withOnly(all.putAll(environment).putAll(variables).buildKeepingLast());
  }

  /** The same command with these variables and no others. */
  public Command withOnly(Map<String, String> variables) {
    return new Command(name, words, variables, directory, input, limit);
  }

  /** The same command, started in this directory. */
  public Command in(Path path) {
    return new Command(name, words, environment, Optional.of(path), input, limit);
  }

  /** The same command, killed if it takes longer. */
  public Command within(Duration longest) {
    return new Command(name, words, environment, directory, input, longest);
  }

  /** Runs to the end and collects what is written; fails only if the program cannot be run. */
  public Outcome run() {
    try (StartedProgram program = start(Redirect.PIPE, Redirect.PIPE, Redirect.PIPE)) {
      return new Collected(program.process(), input).outcome(program, limit);
    }
  }

  /** Runs to the end and returns the output; any other exit status than zero is a failure. */
  public String output() {
    Outcome outcome = run();
    if (!outcome.succeeded()) {
      throw new TestbedException(
          name + " failed with status " + outcome.status() + ": " + outcome.complaint());
    }
    return outcome.output();
  }

  /** Runs to the end with all output added to a file, and returns the exit status. */
  public int run(Path log) {
    try (StartedProgram program = startInBackground(log)) {
      return program.await(limit);
    }
  }

  /** Runs on this process's terminal, as long as it likes, and returns the exit status. */
  public int runOnTerminal() {
    try (SignalScope ignored = SignalScope.begin();
        StartedProgram program = start(Redirect.INHERIT, Redirect.INHERIT, Redirect.INHERIT)) {
      return program.await(NO_LIMIT);
    }
  }

  /** Starts the program and leaves it running without input, all its output added to a file. */
  public StartedProgram startInBackground(Path log) {
    return start(
        Redirect.from(new File("/dev/null")),
        Redirect.appendTo(log.toFile()),
        Redirect.appendTo(log.toFile()));
  }

  /**
   * Starts the program to talk with it line by line.
   *
   * @param log where its standard error is added
   */
  public Dialogue talk(Path log) {
    return new Dialogue(start(Redirect.PIPE, Redirect.PIPE, Redirect.appendTo(log.toFile())), log);
  }

  private StartedProgram start(Redirect in, Redirect out, Redirect error) {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().putAll(environment);
    directory.ifPresent(path -> builder.directory(path.toFile()));
    builder.redirectInput(in).redirectOutput(out).redirectError(error);
    try {
      return new StartedProgram(name, builder.start());
    } catch (IOException e) {
      throw new TestbedException("cannot run " + name + ": " + e.getMessage(), e);
    }
  }
}
