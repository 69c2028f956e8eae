package io.orchestra.hadoop.testbed.host;

import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.Dialogue;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import io.orchestra.hadoop.testbed.process.StartedProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A program on an emulated host that this process talks with, line by line.
 *
 * <p>It ends when it is closed, and at the latest with its host.
 */
public final class HostProgram implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Dialogue dialogue;
  private final ProcessIdentity identity;

  private HostProgram(Dialogue dialogue, ProcessIdentity identity) {
    this.dialogue = dialogue;
    this.identity = identity;
  }

  /**
   * Starts a program.
   *
   * @param command its words as {@link HostShell#words} makes them, and its environment
   * @param log where its standard error is added
   */
  public static HostProgram start(Command command, Path log) {
    return Opened.then(
        command.talk(log),
        dialogue -> new HostProgram(dialogue, identity(dialogue.program(), log)));
  }

  /** The program's process, as this machine numbers it. */
  public ProcessIdentity identity() {
    return identity;
  }

  public boolean isAlive() {
    return ProcessTable.ofThisMachine().isAlive(identity);
  }

  /** Writes one line to the program; fails if it does not read any more. */
  public void send(String line) {
    dialogue.send(line);
  }

  /**
   * The next line that the program has written or will write; fails if there is none within the
   * limit, if the program ends or if this thread is interrupted.
   */
  public String receive(Duration limit) {
    return dialogue.receive(limit);
  }

  /** Ends the program's input: by this most programs end themselves. */
  public void endInput() {
    dialogue.endInput();
  }

  /** Ends the program's input, gives it five seconds to end by itself, and then kills it. */
  @Override
  public void close() {
    dialogue.close();
  }

  /** nsenter stays outside and has one child, which becomes the program. */
  private static ProcessIdentity identity(StartedProgram nsenter, Path log) {
    Waiting.until(
        () -> child(nsenter).isPresent() || !nsenter.isAlive(),
        "the start of " + nsenter.name(),
        LONGEST_START,
        PAUSE);
    return child(nsenter)
        .orElseThrow(
            () ->
                new TestbedException(nsenter.name() + " ended right after its start: see " + log));
  }

  private static Optional<ProcessIdentity> child(StartedProgram nsenter) {
    return nsenter
        .child()
        .flatMap(child -> ProcessTable.ofThisMachine().find(child.pid()))
        .map(RunningProcess::identity);
  }
}
