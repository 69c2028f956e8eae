package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.HadoopHome;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** The class path of containers of MapReduce, which stands in the configuration. */
final class TaskClassPath {
  static final String APPLICATION = "mapreduce.application.classpath";
  static final String FRAMEWORK = "mapreduce.application.framework.path";
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
  private static final String MAPRED_HOME = "HADOOP_MAPRED_HOME";
  private static final String JAVA_HOME = "JAVA_HOME";

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
    // MapReduce does not trim it.
    return Optional.of(conf.get(FRAMEWORK, "")).filter(path -> !path.isEmpty());
  }

  /** Whether tasks have anything of their host's home on their class path. */
  boolean useHome() {
    return archive().isEmpty() || applicationWords().anyMatch(word -> HOME.matcher(word).find());
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
    return variable(key, MAPRED_HOME);
  }

  private String variable(String key, String name) {
    Matcher inList =
        Pattern.compile("(?:^|,)\\s*%s=([^,]*)".formatted(name)).matcher(conf.get(key, ""));
    return conf.get(key + "." + name, inList.find() ? inList.group(1) : "");
  }

  /** Whether a list of variables is for application masters, and not for maps and reduces. */
  static boolean areOfMasters(String key) {
    return key.startsWith("yarn.app.mapreduce.am.");
  }

  /** Settings that have containers run another Java than daemons may, each with where it is. */
  Map<String, String> javaHomes() {
    Map<String, String> homes = new TreeMap<>();
    Stream.concat(ENVIRONMENTS.stream(), ADMINISTERED.values().stream())
        .forEach(
            key -> {
              String path = variable(key, JAVA_HOME).strip();
              if (!path.isEmpty()) {
                homes.put(key, path);
              }
            });
    return homes;
  }

  /** Whether what stands in the configuration is told by a variable that some containers lack. */
  boolean lacksHome() {
    return conf.get(APPLICATION, "").contains(MAPRED_HOME)
        && !conf.getTrimmedStringCollection(INHERITED).contains(MAPRED_HOME)
        && ENVIRONMENTS.stream()
            .anyMatch(key -> home(key).isBlank() && home(ADMINISTERED.get(key)).isBlank());
  }

  /** Whether two paths lead to the same on this host. */
  static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      // It is not on this host.
      return false;
    }
  }

  /** On a host whose variables lead to one home. */
  ClassPath on(HadoopHome home, Path configuration) throws IOException {
    return ClassPath.parse(
        Stream.concat(words(conf.get(YARN, YARN_DEFAULT)), applicationWords())
            .map(word -> expanded(word, home, configuration))
            .toList());
  }

  /** The directory in which containers find what is in an archive. */
  static String archiveName(String archive) throws URISyntaxException {
    // As MRApps.getMRFrameworkName 171 makes it.
    URI uri = new URI(archive);
    return uri.getFragment() == null
        ? new org.apache.hadoop.fs.Path(uri).getName()
        : uri.getFragment();
  }

  /** With an archive that is unpacked here: then tasks have nothing of the host's home. */
  ClassPath in(Path unpacked, String archiveName, HadoopHome home, Path configuration)
      throws IOException {
    Pattern inArchive =
        Pattern.compile(
            "^(?:(?:\\$\\{?PWD}?|\\{\\{PWD}}|\\.)/)?%s(?=/|$)"
                .formatted(Pattern.quote(archiveName)));
    return ClassPath.parse(
        applicationWords()
            .map(word -> inArchive.matcher(word).replaceFirst(quoted(unpacked)))
            .map(word -> expanded(word, home, configuration))
            .toList());
  }

  /** Whether jobs find the archive's name in the class path; they are refused if not. */
  boolean names(String archiveName) {
    return applicationWords().anyMatch(word -> word.contains(archiveName));
  }

  private Stream<String> applicationWords() {
    return words(conf.get(APPLICATION, APPLICATION_DEFAULT));
  }

  private static Stream<String> words(String list) {
    return SEPARATOR.splitAsStream(list).map(String::strip);
  }

  private static String expanded(String word, HadoopHome home, Path configuration) {
    return CONFIGURATION
        .matcher(HOME.matcher(word).replaceAll(quoted(home.root())))
        .replaceAll(quoted(configuration));
  }

  private static String quoted(Path path) {
    return Matcher.quoteReplacement(path.toString());
  }
}
