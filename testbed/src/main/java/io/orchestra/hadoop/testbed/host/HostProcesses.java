package io.orchestra.hadoop.testbed.host;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes that hold the namespaces of one cluster's hosts.
 *
 * <p>Each host is one process that is pid 1 of its own namespaces. When it dies the kernel kills
 * everything on the host and removes its mounts and cables. The marker in its command line leads
 * back to it even when nothing else remembers the cluster.
 */
public final class HostProcesses {
  static final String MARKER = "orchestra-testbed-host";

  private final Path cluster;
  private final ProcessTable table;

  /**
   * @param cluster the cluster's directory
   */
  public HostProcesses(Path cluster, ProcessTable table) {
    this.cluster = cluster;
    this.table = table;
  }

  /**
   * Starts hosts and returns the first process of each, once all of them have their private view of
   * the machine.
   *
   * @param init the script that becomes the first process
   * @param mountPoint where each host sees its own directory
   */
  public Map<String, ProcessIdentity> start(List<String> hosts, Path init, Path mountPoint) {
    Map<String, Process> started = new LinkedHashMap<>();
    for (String host : hosts) {
      started.put(host, launch(host, init, mountPoint));
    }
    started.forEach(this::awaitReady);
    Map<String, ProcessIdentity> found = running();
    for (String host : hosts) {
      if (!found.containsKey(host)) {
        throw new TestbedException("host " + host + " ended right after its start");
      }
    }
    return found;
  }

  /** The directories of all clusters that have a process, whatever else is known of them. */
  public static Set<Path> clusters(ProcessTable table) {
    return table.all().stream()
        .filter(process -> process.words().contains(MARKER))
        .map(process -> Path.of(process.words().get(process.words().indexOf(MARKER) + 1)))
        .collect(Collectors.toSet());
  }

  /** The first process of every host that is alive, by host name. */
  public Map<String, ProcessIdentity> running() {
    ImmutableMap.Builder<String, ProcessIdentity> hosts = ImmutableMap.builder();
    for (RunningProcess process : holders()) {
      if (process.first()) {
        hosts.put(process.words().get(process.words().indexOf(MARKER) + 2), process.identity());
      }
    }
    return hosts.buildKeepingLast();
  }

  /** Kills every host, whether or not its start was completed, and waits until all are gone. */
  public void killAll() {
    List<RunningProcess> left = holders();
    for (int attempt = 0; !left.isEmpty(); attempt++) {
      if (attempt == 200) {
        throw new TestbedException("these processes do not end: " + left);
      }
      left.forEach(process -> table.kill(process.identity()));
      pause();
      left = holders();
    }
  }

  private List<RunningProcess> holders() {
    List<String> marker = List.of(MARKER, cluster.toString());
    return table.all().stream().filter(process -> process.runs(marker)).toList();
  }

  private Process launch(String host, Path init, Path mountPoint) {
    List<String> words =
        List.of(
            "setsid",
            "unshare",
            "--net",
            "--uts",
            "--ipc",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "bash",
            init.toString(),
            MARKER,
            cluster.toString(),
            host,
            mountPoint.toString());
    try {
      return new ProcessBuilder(words)
          .redirectError(log(host).toFile())
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .start();
    } catch (IOException e) {
      throw new TestbedException("cannot start host " + host + ": " + e.getMessage(), e);
    }
  }

  private void awaitReady(String host, Process process) {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      if (!"ready".equals(line)) {
        throw new TestbedException(
            "host " + host + " did not start: " + FileTree.read(log(host)).strip());
      }
    } catch (IOException e) {
      throw new TestbedException("host " + host + " did not start: " + e.getMessage(), e);
    }
  }

  private Path log(String host) {
    return cluster.resolve("hosts").resolve(host).resolve("logs").resolve("host.log");
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while hosts were ending", e);
    }
  }
}
