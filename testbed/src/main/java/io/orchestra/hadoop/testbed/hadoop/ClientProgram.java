package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.TestbedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A Hadoop client program with its arguments, as a Hadoop shell script would run it.
 *
 * @param mainClass the class to run
 * @param arguments what it is given
 */
public record ClientProgram(String mainClass, List<String> arguments) {
  private static final String HDFS = "org.apache.hadoop.hdfs.";
  private static final String YARN = "org.apache.hadoop.yarn.client.cli.";
  private static final String RUN_JAR = "org.apache.hadoop.util.RunJar";
  private static final String VERSION = "org.apache.hadoop.util.VersionInfo";

  private static final Map<String, Map<String, String>> PROGRAMS =
      ImmutableMap.of(
          "hdfs",
          ImmutableMap.<String, String>builder()
              .put("balancer", HDFS + "server.balancer.Balancer")
              .put("cacheadmin", HDFS + "tools.CacheAdmin")
              .put("crypto", HDFS + "tools.CryptoAdmin")
              .put("debug", HDFS + "tools.DebugAdmin")
              .put("dfs", "org.apache.hadoop.fs.FsShell")
              .put("dfsadmin", HDFS + "tools.DFSAdmin")
              .put("ec", HDFS + "tools.ECAdmin")
              .put("fsck", HDFS + "tools.DFSck")
              .put("getconf", HDFS + "tools.GetConf")
              .put("groups", HDFS + "tools.GetGroups")
              .put("haadmin", HDFS + "tools.DFSHAAdmin")
              .put("lsSnapshottableDir", HDFS + "tools.snapshot.LsSnapshottableDir")
              .put("mover", HDFS + "server.mover.Mover")
              .put("oev", HDFS + "tools.offlineEditsViewer.OfflineEditsViewer")
              .put("oiv", HDFS + "tools.offlineImageViewer.OfflineImageViewerPB")
              .put("snapshotDiff", HDFS + "tools.snapshot.SnapshotDiff")
              .put("storagepolicies", HDFS + "tools.StoragePolicyAdmin")
              .put("version", VERSION)
              .buildOrThrow(),
          "yarn",
          ImmutableMap.<String, String>builder()
              .put("app", YARN + "ApplicationCLI")
              .put("application", YARN + "ApplicationCLI")
              .put("applicationattempt", YARN + "ApplicationCLI")
              .put("cluster", YARN + "ClusterCLI")
              .put("container", YARN + "ApplicationCLI")
              .put("logs", YARN + "LogsCLI")
              .put("node", YARN + "NodeCLI")
              .put("queue", YARN + "QueueCLI")
              .put("rmadmin", YARN + "RMAdminCLI")
              .put("top", YARN + "TopCLI")
              .put("version", VERSION)
              .buildOrThrow(),
          "mapred",
          ImmutableMap.<String, String>builder()
              .put("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer")
              .put("hsadmin", "org.apache.hadoop.mapreduce.v2.hs.client.HSAdmin")
              .put("job", "org.apache.hadoop.mapred.JobClient")
              .put("queue", "org.apache.hadoop.mapred.JobQueueClient")
              .put("version", VERSION)
              .buildOrThrow());

  /** Those of Hadoop's tools. */
  private static final Map<String, String> TOOLS =
      Map.of(
          "gridmix", "org.apache.hadoop.mapred.gridmix.Gridmix",
          "rumentrace", "org.apache.hadoop.tools.rumen.TraceBuilder");

  public ClientProgram {
    arguments = List.copyOf(arguments);
  }

  /**
   * What {@code hdfs dfs -ls /}, {@code yarn node -list}, {@code mapred job -list}, {@code jar FILE
   * …}, {@code gridmix}, {@code rumentrace} or a class name with arguments mean.
   *
   * @param home where {@code jar examples} finds the examples
   */
  public static ClientProgram parse(List<String> words, HadoopHome home) {
    if (words.isEmpty()) {
      throw new TestbedException("which program? hdfs, yarn, mapred, jar, or the name of a class");
    }
    String first = words.get(0);
    List<String> rest = words.subList(1, words.size());
    if (first.equals("jar")) {
      return jar(rest, home);
    }
    if (first.equals("fs")) {
      return new ClientProgram("org.apache.hadoop.fs.FsShell", rest);
    }
    if (TOOLS.containsKey(first)) {
      return new ClientProgram(TOOLS.get(first), rest);
    }
    if (PROGRAMS.containsKey(first)) {
      return subcommand(first, rest);
    }
    if (first.contains(".")) {
      return new ClientProgram(first, rest);
    }
    throw new TestbedException(
        "'"
            + first
            + "' is not a Hadoop program: use hdfs, yarn, mapred, jar, gridmix, rumentrace, or a class name");
  }

  private static ClientProgram jar(List<String> words, HadoopHome home) {
    if (words.isEmpty()) {
      throw new TestbedException("which jar? 'jar examples' runs the stock examples");
    }
    Path file = words.get(0).equals("examples") ? home.examplesJar() : Path.of(words.get(0));
    List<String> arguments = new ArrayList<>(words);
    arguments.set(0, file.toString());
    return new ClientProgram(RUN_JAR, arguments);
  }

  private static ClientProgram subcommand(String script, List<String> words) {
    Map<String, String> programs = PROGRAMS.get(script);
    if (words.isEmpty() || !programs.containsKey(words.get(0))) {
      throw new TestbedException(
          "'"
              + String.join(" ", script, words.isEmpty() ? "" : words.get(0)).strip()
              + "' is not known here: after "
              + script
              + " comes one of "
              + String.join(", ", new TreeSet<>(programs.keySet())));
    }
    String mainClass = programs.get(words.get(0));
    // This one program serves several subcommands and wants to know which.
    boolean keepsSubcommand = mainClass.endsWith(".ApplicationCLI");
    return new ClientProgram(mainClass, words.subList(keepsSubcommand ? 0 : 1, words.size()));
  }
}
