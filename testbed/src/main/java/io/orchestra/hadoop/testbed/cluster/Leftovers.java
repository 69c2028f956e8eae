package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells what a cluster leaves on the machine after its end.
 *
 * <p>Knows the mounts from before its start and the namespaces from its life. Links exist only in
 * those, so when no process is in them and no mount pins them, the kernel has removed them with all
 * they held.
 */
public final class Leftovers {
  private static final List<String> KINDS = List.of("net", "mnt", "pid", "uts", "ipc");

  private final ProcessTable table = ProcessTable.ofThisMachine();
  private final TestbedHome home;
  private final Set<String> mountsBefore;
  private final Set<String> namespaces = new HashSet<>();

  private Leftovers(TestbedHome home) {
    this.home = home;
    this.mountsBefore = new HashSet<>(mounts());
  }

  /** To be called before the cluster is started. */
  public static Leftovers beforeStart(TestbedHome home) {
    return new Leftovers(home);
  }

  /** To be called while the cluster is up. */
  public void remember(Cluster cluster) {
    cluster.state().hosts().values().forEach(host -> namespaces.addAll(namespaces(host)));
  }

  /** Processes that are still in those namespaces, and mounts of the home that are new. */
  public List<String> find() {
    List<String> found = new ArrayList<>();
    for (RunningProcess process : table.all()) {
      if (namespaces(process.identity()).stream().anyMatch(namespaces::contains)) {
        found.add("process " + process.identity().pid());
      }
    }
    for (String mount : mounts()) {
      if (!mountsBefore.contains(mount)) {
        found.add("mount " + mount);
      }
    }
    return found;
  }

  /** As {@link #find}, after giving the kernel some seconds to end what was killed. */
  public List<String> findAfterAWhile() {
    try {
      Waiting.until(() -> find().isEmpty(), "the end of the cluster's processes", 10);
    } catch (TestbedException stillSomeLeft) {
      return find();
    }
    return List.of();
  }

  /** Those that have the home in their line; it may itself be on a mount. */
  private List<String> mounts() {
    return FileTree.read(Path.of("/proc/self/mountinfo"))
        .lines()
        .filter(line -> line.contains(home.root().toString()))
        .toList();
  }

  private Set<String> namespaces(ProcessIdentity process) {
    Set<String> found = new HashSet<>();
    for (String kind : KINDS) {
      try {
        Path namespace = table.directory(process).resolve("ns").resolve(kind);
        found.add(Files.readSymbolicLink(namespace).toString());
      } catch (IOException e) {
        // It has ended meanwhile.
      }
    }
    return found;
  }
}
