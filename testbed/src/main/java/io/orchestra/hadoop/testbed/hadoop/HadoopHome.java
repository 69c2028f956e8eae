package io.orchestra.hadoop.testbed.hadoop;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Hadoop on disk, laid out as the release archive is.
 *
 * @param root the directory that holds {@code share/hadoop}
 * @param version its version, such as {@code 3.5.0}
 */
public record HadoopHome(Path root, String version) {
  private static final Pattern COMMON = Pattern.compile("hadoop-common-(\\d[\\w.\\-]*?)\\.jar");

  /** Opens a directory after checking that it holds what the daemons need. */
  public static HadoopHome open(Path root) {
    Path share = root.resolve("share/hadoop");
    String version =
        find(share.resolve("common"), COMMON)
            .map(
                jar -> {
                  Matcher matcher = COMMON.matcher(jar.getFileName().toString());
                  return matcher.matches() ? matcher.group(1) : "";
                })
            .orElseThrow(
                () ->
                    new TestbedException(
                        root
                            + " is no unpacked Hadoop release: share/hadoop/common has no"
                            + " hadoop-common jar"));
    for (String needed :
        List.of(
            "common/lib",
            "hdfs/hadoop-hdfs-" + version + ".jar",
            "hdfs/webapps",
            "yarn/hadoop-yarn-server-resourcemanager-" + version + ".jar",
            "mapreduce/hadoop-mapreduce-client-app-" + version + ".jar")) {
      if (!Files.exists(share.resolve(needed))) {
        throw new TestbedException(
            root + " is no complete Hadoop release: share/hadoop/" + needed + " is missing");
      }
    }
    return new HadoopHome(root, version);
  }

  /** The class path that the release's scripts give every program, after the configuration. */
  public List<String> classPath() {
    return List.of(
        entry("common/lib/*"),
        entry("common/*"),
        entry("hdfs"),
        entry("hdfs/lib/*"),
        entry("hdfs/*"),
        entry("mapreduce/*"),
        entry("yarn"),
        entry("yarn/lib/*"),
        entry("yarn/*"));
  }

  /**
   * The jars of the class path, one by one, without those of Hadoop's own tests: these have
   * configuration that must not come before a cluster's.
   */
  List<Path> jars() {
    return classPath().stream()
        .filter(entry -> entry.endsWith("/*"))
        .flatMap(entry -> FileTree.list(Path.of(entry).getParent()).stream())
        .filter(file -> file.toString().endsWith(".jar"))
        .filter(file -> !file.toString().endsWith("-tests.jar"))
        .toList();
  }

  /** The stock example jobs. */
  public Path examplesJar() {
    return find(
            root.resolve("share/hadoop/mapreduce"),
            Pattern.compile("hadoop-mapreduce-examples-\\d[\\w.\\-]*\\.jar"))
        .orElseThrow(() -> new TestbedException("no hadoop-mapreduce-examples jar in " + root));
  }

  /** The jars of GridMix and Rumen, by name; none where the release has no tools. */
  public List<Path> toolJars() {
    Path lib = root.resolve("share/hadoop/tools/lib");
    return Stream.of("gridmix", "rumen")
        .flatMap(
            tool -> find(lib, Pattern.compile("hadoop-" + tool + "-\\d[\\w.\\-]*\\.jar")).stream())
        .toList();
  }

  private String entry(String path) {
    return root + "/share/hadoop/" + path;
  }

  private static Optional<Path> find(Path directory, Pattern name) {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    for (Path file : FileTree.list(directory)) {
      String text = file.getFileName().toString();
      if (name.matcher(text).matches()
          && !text.endsWith("-tests.jar")
          && !text.endsWith("-sources.jar")) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
