package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.Dialogue;
import io.orchestra.hadoop.testbed.process.SignalScope;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All daemons in one Java process of their own, for machines that cannot emulate hosts.
 *
 * <p>There is one at a time in a home; the caller sees to that.
 */
final class InProcessCluster implements DemoCluster {
  /** What Hadoop's processes run: a container is a script that starts Java. */
  private static final Set<String> PROGRAMS = Set.of("java", "bash");

  private static final Duration LONGEST_START = Duration.ofMinutes(3);
  private static final Duration LONGEST_STEP = Duration.ofMinutes(15);
  private static final int LONGEST_END_SECONDS = 60;
  private static final int LONGEST_ANSWER_MILLISECONDS = 30_000;

  private final Path work;
  private final InProcessPrograms programs;
  private final SignalScope signals;
  private final Dialogue daemons;
  private String nameNode;
  private boolean succeeded;

  private InProcessCluster(
      Path work, InProcessPrograms programs, SignalScope signals, Dialogue daemons) {
    this.work = work;
    this.programs = programs;
    this.signals = signals;
    this.daemons = daemons;
  }

  static InProcessCluster start(
      TestbedHome home,
      Project project,
      HadoopHome hadoop,
      List<Plugin> plugins,
      List<Setting> settings) {
    Path work = home.root().resolve("demo").resolve("in-process");
    FileTree.delete(work);
    FileTree.directory(work.resolve("fetched"));
    InProcessPrograms programs = new InProcessPrograms(work, hadoop);
    programs.layOut(project, plugins, settings);
    return Opened.then(
        SignalScope.begin(),
        signals -> {
          Dialogue daemons = programs.daemons().talk(work.resolveSibling("in-process.log"));
          return Opened.prepared(
              new InProcessCluster(work, programs, signals, daemons), InProcessCluster::awaitReady);
        });
  }

  private void awaitReady() {
    String line = daemons.receive(LONGEST_START);
    while (!line.startsWith(InProcessDaemons.READY)) {
      line = daemons.receive(LONGEST_START);
    }
    nameNode = line.substring(InProcessDaemons.READY.length());
  }

  @Override
  public void hadoop(Account user, List<String> words, Path log) {
    Command client =
        programs
            .client(words)
            .adding(Map.of("HADOOP_USER_NAME", user.userName()))
            .within(LONGEST_STEP);
    int status = client.run(log);
    if (status != 0) {
      throw new TestbedException(client.name() + " failed with status " + status + "; see " + log);
    }
  }

  @Override
  public Path fetchDirectory() {
    return work.resolve("fetched");
  }

  @Override
  public Optional<JsonNode> nameNode(String path) {
    try {
      URLConnection connection = URI.create(nameNode + path).toURL().openConnection();
      connection.setConnectTimeout(LONGEST_ANSWER_MILLISECONDS);
      connection.setReadTimeout(LONGEST_ANSWER_MILLISECONDS);
      try (InputStream answer = connection.getInputStream()) {
        return Optional.of(new ObjectMapper().readTree(answer));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void succeeded() {
    succeeded = true;
  }

  @Override
  public List<String> leftovers() {
    return processes().stream().map(handle -> "process " + handle.pid()).toList();
  }

  /**
   * The daemons end with their standard input; clients and containers would live on for a while.
   */
  @Override
  public void close() {
    signals.beginEnd();
    try (signals) {
      daemons.close();
      Waiting.until(
          () -> {
            List<ProcessHandle> left = processes();
            left.forEach(ProcessHandle::destroyForcibly);
            return left.isEmpty();
          },
          "the end of the in-process cluster",
          LONGEST_END_SECONDS);
      if (succeeded) {
        FileTree.delete(work);
      }
    }
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(handle -> !handle.equals(ProcessHandle.current()))
        .filter(
            handle ->
                isPart(
                    handle.info().command().orElse(""),
                    handle.info().commandLine().orElse(""),
                    work))
        .toList();
  }

  /**
   * Whether a process is a daemon, a client or a container: all of them have the directory in their
   * command line. So has an editor of a file in it, which is left alone.
   *
   * @param program the path of what it runs
   */
  static boolean isPart(String program, String commandLine, Path work) {
    return PROGRAMS.contains(program.substring(program.lastIndexOf('/') + 1))
        && commandLine.contains(work + "/");
  }
}
