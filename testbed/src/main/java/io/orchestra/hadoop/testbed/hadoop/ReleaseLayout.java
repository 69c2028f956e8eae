package io.orchestra.hadoop.testbed.hadoop;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the release archive keeps a jar: Hadoop's own beside their kind, each library once, in the
 * {@code lib} of the first folder that needs it.
 */
final class ReleaseLayout {
  /** The folders in the order in which they appear on class paths. */
  static final List<String> FOLDERS =
      List.of("common", "hdfs", "yarn", "mapreduce", "tools", "minicluster", "corpus");

  private static final Map<String, String> OWN =
      Map.of(
          "hadoop-common-", "common",
          "hadoop-registry-", "common",
          "hadoop-hdfs-", "hdfs",
          "hadoop-yarn-", "yarn",
          "hadoop-mapreduce-", "mapreduce");

  private final Set<String> placed = new HashSet<>();

  /**
   * The place of a jar below {@code share/hadoop}, or nothing if it already has one.
   *
   * @param folder the folder it was collected for; folders come in their order
   */
  Optional<Path> place(String folder, String jar) {
    return placed.add(jar) ? Optional.of(Path.of(directory(folder, jar), jar)) : Optional.empty();
  }

  private static String directory(String folder, String jar) {
    for (Map.Entry<String, String> own : OWN.entrySet()) {
      if (jar.startsWith(own.getKey())) {
        return own.getValue() + kind(jar);
      }
    }
    return folder + "/lib";
  }

  private static String kind(String jar) {
    if (jar.endsWith("-sources.jar")) {
      return "/sources";
    }
    return jar.startsWith("hadoop-yarn-server-tests-") ? "/test" : "";
  }
}
