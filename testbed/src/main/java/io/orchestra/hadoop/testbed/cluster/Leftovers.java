package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells what a cluster leaves on the machine after its end.
 *
 * <p>Remembers the namespaces of a living cluster. Links exist only in those, so when no process is
 * in them and no mount pins them, the kernel has removed them with all they held.
 */
public final class Leftovers {
  private static final List<String> KINDS = List.of("net", "mnt", "pid", "uts", "ipc");

  private final Path home;
  private final Set<String> namespaces = new HashSet<>();

  public Leftovers(Cluster cluster) {
    this.home = cluster.home().root();
    cluster
        .state()
        .hosts()
        .values()
        .forEach(host -> namespaces.addAll(namespaces(Path.of("/proc/" + host.pid()))));
  }

  /** Processes that are still in those namespaces, and mounts below the testbed's directory. */
  public List<String> find() {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (namespaces(process).stream().anyMatch(namespaces::contains)) {
          found.add("process " + process.getFileName());
        }
      }
      for (String mount : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
        if (mount.contains(home.toString())) {
          found.add("mount " + mount);
        }
      }
      return found;
    } catch (IOException e) {
      throw new TestbedException("cannot look for leftovers: " + e.getMessage(), e);
    }
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

  private static Set<String> namespaces(Path process) {
    Set<String> found = new HashSet<>();
    for (String kind : KINDS) {
      try {
        found.add(Files.readSymbolicLink(process.resolve("ns").resolve(kind)).toString());
      } catch (IOException e) {
        // It has ended meanwhile, or is a zombie and in no namespace any more.
      }
    }
    return found;
  }
}
