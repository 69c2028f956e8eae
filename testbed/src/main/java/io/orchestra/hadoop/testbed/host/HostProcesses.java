package io.orchestra.hadoop.testbed.host;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import io.orchestra.hadoop.testbed.process.StartedProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes that hold the namespaces of one cluster's hosts.
 *
 * <p>Each host is one process that is pid 1 of its own namespaces. When it dies the kernel kills
 * everything on the host and removes its mounts and cables. Marker words in its command line lead
 * back to it even when nothing else remembers the cluster; only processes that root has started are
 * believed.
 */
public final class HostProcesses {
  static final String MARKER = "orchestra-testbed-host";

  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Path cluster;
  private final List<String> marker;
  private final ProcessTable table;

  /**
   * @param cluster the cluster's directory; the one above it has to be there
   */
  public HostProcesses(Path cluster, ProcessTable table) {
    this.cluster = cluster;
    this.marker = marker(cluster.getParent());
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
    Map<String, StartedProgram> started = new LinkedHashMap<>();
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

  /**
   * The names of all clusters that have a process, whatever else is known of them.
   *
   * @param clusters the directory that holds the directories of clusters
   */
  public static Set<String> clusters(Path clusters, ProcessTable table) {
    List<String> marker = marker(clusters);
    return table.all().stream()
        .filter(process -> process.isRoots() && process.runs(marker))
        .map(process -> process.wordAfter(marker, 0))
        .collect(Collectors.toSet());
  }

  /** The first process of every host that is alive, by host name. */
  public Map<String, ProcessIdentity> running() {
    ImmutableMap.Builder<String, ProcessIdentity> hosts = ImmutableMap.builder();
    for (RunningProcess process : holders()) {
      if (process.first()) {
        hosts.put(process.wordAfter(marker, 1), process.identity());
      }
    }
    return hosts.buildKeepingLast();
  }

  /**
   * Kills every host, whether or not its start was completed, and returns once nothing runs on any.
   */
  public void killAll() {
    table.killAll(this::holds, "the hosts of " + cluster);
  }

  private List<RunningProcess> holders() {
    return table.all().stream().filter(this::holds).toList();
  }

  private boolean holds(RunningProcess process) {
    return process.isRoots()
        && process.runs(marker)
        && process.wordAfter(marker, 0).equals(cluster.getFileName().toString());
  }

  /**
   * Words that only hosts of clusters in this very directory have: in a container on the same
   * machine another directory may have the same path.
   */
  private static List<String> marker(Path clusters) {
    return List.of(MARKER, clusters.toString(), FileTree.identity(clusters));
  }

  private StartedProgram launch(String host, Path init, Path mountPoint) {
    List<String> words =
        ImmutableList.<String>builder()
            .add("setsid", "unshare", "--net", "--uts", "--ipc", "--mount", "--pid")
            .add("--fork", "--kill-child", "--mount-proc")
            .add("bash", init.toString())
            .addAll(marker)
            .add(cluster.getFileName().toString(), host, mountPoint.toString())
            .build();
    return Command.of(words).startInBackground(log(host));
  }

  /** The script makes a file when the host is ready, so that no pipe ties it to this process. */
  private void awaitReady(String host, StartedProgram program) {
    Path ready = cluster.resolve("hosts").resolve(host).resolve("ready");
    Waiting.until(
        () -> Files.exists(ready) || !program.isAlive(),
        "host " + host + " to start",
        LONGEST_START,
        PAUSE);
    if (!Files.exists(ready)) {
      throw new TestbedException(
          "host " + host + " did not start: " + FileTree.read(log(host)).strip());
    }
  }

  private Path log(String host) {
    return cluster.resolve("hosts").resolve(host).resolve("logs").resolve("host.log");
  }
}
