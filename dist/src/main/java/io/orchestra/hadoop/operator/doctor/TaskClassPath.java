package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.HadoopHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** The class path of containers of MapReduce, which stands in the configuration. */
final class TaskClassPath {
  static final String APPLICATION = "mapreduce.application.classpath";
  private static final String FRAMEWORK = "mapreduce.application.framework.path";
  private static final String YARN = "yarn.application.classpath";

  private static final String APPLICATION_DEFAULT =
      "$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/lib/*";
  private static final String YARN_DEFAULT =
      "$HADOOP_CONF_DIR,$HADOOP_COMMON_HOME/share/hadoop/common/*,$HADOOP_COMMON_HOME/share/hadoop/common/lib/*,"
          + "$HADOOP_HDFS_HOME/share/hadoop/hdfs/*,$HADOOP_HDFS_HOME/share/hadoop/hdfs/lib/*,"
          + "$HADOOP_YARN_HOME/share/hadoop/yarn/*,$HADOOP_YARN_HOME/share/hadoop/yarn/lib/*";

  private static final Pattern HOME =
      Pattern.compile(
          "\\$\\{?HADOOP_(?:MAPRED_|COMMON_|HDFS_|YARN_)?HOME}?|\\{\\{HADOOP_(?:MAPRED_|COMMON_|HDFS_|YARN_)?HOME}}");
  private static final Pattern CONFIGURATION =
      Pattern.compile("\\$\\{?HADOOP_CONF_DIR}?|\\{\\{HADOOP_CONF_DIR}}");

  private static final List<String> ENVIRONMENTS =
      List.of("yarn.app.mapreduce.am.env", "mapreduce.map.env", "mapreduce.reduce.env");
  private static final Pattern MAPRED_HOME =
      Pattern.compile("(?:^|,)\\s*HADOOP_MAPRED_HOME=([^,]*)");

  /** What administrators set for all jobs, for the same containers. */
  private static final Map<String, String> ADMINISTERED =
      Map.of(
          "yarn.app.mapreduce.am.env", "yarn.app.mapreduce.am.admin.user.env",
          "mapreduce.map.env", "mapreduce.admin.user.env",
          "mapreduce.reduce.env", "mapreduce.admin.user.env");

  private static final String INHERITED = "yarn.nodemanager.env-whitelist";

  /** What stands between two entries: MapReduce takes all of them. */
  private static final Pattern SEPARATOR = Pattern.compile("[,:]|<CPS>");

  private final Configuration conf;

  TaskClassPath(Configuration conf) {
    this.conf = conf;
  }

  /** The archive that tasks take Hadoop from, if they do. */
  Optional<String> archive() {
    return Optional.ofNullable(conf.getTrimmed(FRAMEWORK)).filter(path -> !path.isEmpty());
  }

  /** Settings that lead {@code $HADOOP_MAPRED_HOME} of containers elsewhere, each with where. */
  Map<String, String> otherHomes(HadoopHome home) {
    Map<String, String> others = new TreeMap<>();
    for (String key : ENVIRONMENTS) {
      String value = home(key);
      String path = HOME.matcher(value.strip()).replaceAll(quoted(home.root()));
      if (!path.isEmpty() && !isSame(Path.of(path), home.root())) {
        others.put(key, path);
      }
    }
    return others;
  }

  /** What a list of variables says of the home; empty if nothing. */
  private String home(String key) {
    Matcher inList = MAPRED_HOME.matcher(conf.get(key, ""));
    return conf.get(key + ".HADOOP_MAPRED_HOME", inList.find() ? inList.group(1) : "");
  }

  /** Whether what stands in the configuration is told by a variable that some containers lack. */
  boolean lacksHome() {
    return conf.get(APPLICATION, "").contains("HADOOP_MAPRED_HOME")
        && !conf.getTrimmedStringCollection(INHERITED).contains("HADOOP_MAPRED_HOME")
        && ENVIRONMENTS.stream()
            .anyMatch(key -> home(key).isBlank() && home(ADMINISTERED.get(key)).isBlank());
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      // It is not on this host.
      return false;
    }
  }

  /** On a host whose variables lead to one home. */
  ClassPath on(HadoopHome home, Path configuration) throws IOException {
    List<String> words = new ArrayList<>();
    for (String list :
        List.of(conf.get(YARN, YARN_DEFAULT), conf.get(APPLICATION, APPLICATION_DEFAULT))) {
      SEPARATOR.splitAsStream(list).map(String::strip).forEach(words::add);
    }
    return ClassPath.parse(
        words.stream()
            .map(word -> HOME.matcher(word).replaceAll(quoted(home.root())))
            .map(word -> CONFIGURATION.matcher(word).replaceAll(quoted(configuration)))
            .toList());
  }

  private static String quoted(Path path) {
    return Matcher.quoteReplacement(path.toString());
  }
}
