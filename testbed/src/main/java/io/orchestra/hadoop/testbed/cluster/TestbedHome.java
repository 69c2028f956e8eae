package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.ReleaseAssembly;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The directory that holds everything the testbed keeps on this machine. */
public record TestbedHome(Path root) {
  private static final String VARIABLE = "ORCHESTRA_TESTBED_HOME";
  private static final String REMEDY = "set " + VARIABLE + " to another place";
  private static final Path DEFAULT = Path.of("/var/lib/orchestra-testbed");

  /**
   * What each host has a private version of; the machine's files below them cannot be seen there.
   */
  private static final List<Path> PRIVATE =
      Stream.of("/etc", "/tmp", "/var/tmp", "/dev/shm", "/run", "/proc", "/sys")
          .map(Path::of)
          .toList();

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  public TestbedHome {
    root = root.toAbsolutePath().normalize();
  }

  public static TestbedHome fromEnvironment() {
    String configured = System.getenv(VARIABLE);
    return new TestbedHome(
        configured == null || configured.isBlank() ? DEFAULT : Path.of(configured));
  }

  /** The same where this process may write there, otherwise one in the user's own cache. */
  public static TestbedHome fromEnvironmentOrOwn() {
    TestbedHome home = fromEnvironment();
    boolean writable =
        Stream.of(home.root().resolve("locks"), home.root(), home.root().getParent())
            .filter(Files::isDirectory)
            .findFirst()
            .filter(Files::isWritable)
            .isPresent();
    return writable || System.getenv(VARIABLE) != null
        ? home
        : new TestbedHome(Path.of(System.getProperty("user.home"), ".cache", "orchestra-testbed"));
  }

  /** Where each host sees its own directory; the same on every host. */
  public Path mountPoint() {
    return root.resolve("host");
  }

  /** The Hadoop home of a version, as this build assembles it. */
  public Path hadoop(String version) {
    return root.resolve("hadoop").resolve(version + "-" + ReleaseAssembly.fingerprint());
  }

  public Path corpus(String version) {
    return root.resolve("corpus").resolve(version);
  }

  /** Who changes a cluster holds this. */
  public Path clusterLock(String name) {
    return root.resolve("locks").resolve("cluster-" + name + ".lock");
  }

  /** Who runs the demo holds this. */
  public Path demoLock() {
    return root.resolve("locks").resolve("demo.lock");
  }

  /** Who measures holds this. */
  public Path benchLock() {
    return root.resolve("locks").resolve("bench.lock");
  }

  /** Who assembles a Hadoop release holds this. */
  public Path hadoopLock() {
    return root.resolve("locks").resolve("hadoop.lock");
  }

  /** Who records the classes of a Hadoop release holds this. */
  Path classesLock() {
    return root.resolve("locks").resolve("classes.lock");
  }

  public ClusterDirectory cluster(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new TestbedException(
          "'" + name + "' is no name for a cluster: use small letters, digits and hyphens");
    }
    return new ClusterDirectory(root.resolve("clusters").resolve(name));
  }

  /** The names of all clusters that have a process. */
  public SortedSet<String> runningClusters() {
    return new TreeSet<>(
        HostProcesses.clusters(root.resolve("clusters"), ProcessTable.ofThisMachine()));
  }

  /** The names of all clusters that have left a trace here or still have a process. */
  public SortedSet<String> clusterNames() {
    SortedSet<String> names = new TreeSet<>();
    Path clusters = root.resolve("clusters");
    if (Files.isDirectory(clusters)) {
      names.addAll(runningClusters());
      FileTree.list(clusters).forEach(entry -> names.add(entry.getFileName().toString()));
    }
    // A mount may come with a directory of its own, such as lost+found.
    names.removeIf(name -> !NAME.matcher(name).matches());
    return names;
  }

  /** Makes the directories, after checking that every user of a host can reach them. */
  public void prepare() {
    requireVisible(root, REMEDY);
    prepareDirectories();
  }

  /** Makes the directories, wherever they are. */
  public void prepareDirectories() {
    makeRoot();
    for (String name : List.of("host", "hadoop", "clusters", "locks")) {
      FileTree.directory(root.resolve(name));
    }
    if (!Files.isWritable(root.resolve("clusters"))) {
      throw new TestbedException("cannot write to " + root + "; " + REMEDY);
    }
  }

  private void makeRoot() {
    try {
      FileTree.directory(root);
    } catch (TestbedException e) {
      throw new TestbedException(e.getMessage() + "; " + REMEDY, e);
    }
  }

  /** Fails unless all users on all hosts can reach this directory of the machine, or could. */
  public static void requireVisible(Path directory, String remedy) {
    Path path = directory.toAbsolutePath().normalize();
    if (PRIVATE.stream().anyMatch(path::startsWith)) {
      throw new TestbedException(
          path
              + " cannot be seen on emulated hosts, whose /etc, /tmp, /var/tmp, /dev/shm and /run"
              + " are their own; "
              + remedy);
    }
    for (Path part = path; part != null; part = part.getParent()) {
      if (!Files.exists(part)) {
        continue;
      }
      try {
        if (!Files.getPosixFilePermissions(part).contains(PosixFilePermission.OTHERS_EXECUTE)) {
          throw new TestbedException(
              "users such as hdfs cannot enter " + part + " on the way to " + path + "; " + remedy);
        }
      } catch (IOException e) {
        throw new TestbedException("cannot look at " + part + ": " + e.getMessage(), e);
      }
    }
  }
}
