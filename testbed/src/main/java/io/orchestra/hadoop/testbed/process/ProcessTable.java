package io.orchestra.hadoop.testbed.process;

import com.google.common.base.Splitter;
import com.google.common.collect.Iterables;
import com.google.common.primitives.Longs;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The processes of this machine, read from {@code /proc}; kills only what it can identify. */
public final class ProcessTable {
  private static final Duration LONGEST_END = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Path proc;

  public ProcessTable(Path proc) {
    this.proc = proc;
  }

  public static ProcessTable ofThisMachine() {
    return new ProcessTable(Path.of("/proc"));
  }

  /** Every process that can be read; those that end meanwhile are left out. */
  public List<RunningProcess> all() {
    List<RunningProcess> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path entry : entries) {
        Long pid = Longs.tryParse(entry.getFileName().toString());
        if (pid != null) {
          find(pid).ifPresent(found::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** The process with this pid, unless there is none or it is a zombie. */
  public Optional<RunningProcess> find(long pid) {
    Path entry = proc.resolve(Long.toString(pid));
    try {
      // The second field, the program's name in parentheses, may itself hold spaces and
      // parentheses.
      String stat = Files.readString(entry.resolve("stat"), StandardCharsets.ISO_8859_1);
      List<String> fields =
          Splitter.on(' ').splitToList(stat.substring(stat.lastIndexOf(')') + 2).strip());
      if (fields.get(0).equals("Z") || fields.get(0).equals("X")) {
        return Optional.empty();
      }
      long startTicks = Long.parseLong(fields.get(19));
      String namespace = Files.readSymbolicLink(entry.resolve("ns/pid")).toString();
      List<String> status =
          Files.readAllLines(entry.resolve("status"), StandardCharsets.ISO_8859_1);
      List<String> namespacePids = values(status, "NSpid:");
      return Optional.of(
          new RunningProcess(
              new ProcessIdentity(pid, startTicks),
              namespace,
              namespacePids.size() > 1 && Iterables.getLast(namespacePids).equals("1"),
              Long.parseLong(values(status, "Uid:").get(0)),
              words(entry)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What the kernel shows of a process. */
  public Path directory(ProcessIdentity identity) {
    return proc.resolve(Long.toString(identity.pid()));
  }

  public boolean isAlive(ProcessIdentity identity) {
    return find(identity.pid()).filter(p -> p.identity().equals(identity)).isPresent();
  }

  /**
   * Fails unless the process is alive: to be called right before its pid is used.
   *
   * @param what it is, for the message
   */
  public void require(ProcessIdentity identity, String what) {
    if (!isAlive(identity)) {
      throw new TestbedException(what + " has ended: 'cluster down', then up again");
    }
  }

  /** Sends SIGKILL, unless the process has ended, whoever has its pid now. */
  public void kill(ProcessIdentity identity) {
    end(identity, ProcessHandle::destroyForcibly);
  }

  /** Sends SIGTERM, unless the process has ended, whoever has its pid now. */
  public void terminate(ProcessIdentity identity) {
    end(identity, ProcessHandle::destroy);
  }

  private void end(ProcessIdentity identity, Predicate<ProcessHandle> how) {
    // INVARIANT: the handle is taken before the check; it remembers the start and ends nobody else.
    Optional<ProcessHandle> handle = ProcessHandle.of(identity.pid());
    if (handle.isPresent() && isAlive(identity)) {
      boolean unused = how.test(handle.get());
    }
  }

  /** Stops a process where it is; fails if it has ended. */
  public void pause(ProcessIdentity identity) {
    signal(identity, "STOP");
  }

  /** Lets a paused process go on; fails if it has ended. */
  public void resume(ProcessIdentity identity) {
    signal(identity, "CONT");
  }

  private void signal(ProcessIdentity identity, String signal) {
    require(identity, "process " + identity.pid());
    Command.of("kill", "-" + signal, Long.toString(identity.pid())).output();
  }

  /**
   * Kills every process of a kind, also those that appear meanwhile, and returns once all of them
   * are gone. A dying one that does not look its part any more is waited for too: the first process
   * of a namespace is gone only after all others in it.
   *
   * @param what they are, for the message if they do not end
   */
  public void killAll(Predicate<RunningProcess> kind, String what) {
    Set<ProcessIdentity> killed = new HashSet<>();
    Waiting.until(
        () -> {
          for (RunningProcess process : all()) {
            if (kind.test(process)) {
              killed.add(process.identity());
              kill(process.identity());
            }
          }
          return killed.stream().noneMatch(this::isAlive);
        },
        "the end of " + what,
        LONGEST_END,
        PAUSE);
  }

  private static List<String> values(List<String> status, String name) throws IOException {
    for (String line : status) {
      if (line.startsWith(name)) {
        return Splitter.on('\t').omitEmptyStrings().splitToList(line.substring(name.length()));
      }
    }
    throw new IOException("no " + name);
  }

  private static List<String> words(Path entry) throws IOException {
    String line = Files.readString(entry.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    return Splitter.on('\0').splitToList(line);
  }
}
