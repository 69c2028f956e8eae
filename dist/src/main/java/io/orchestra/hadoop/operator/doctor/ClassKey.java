package io.orchestra.hadoop.operator.doctor;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** Keys whose values name classes, ours or such as ours load; the fatal ones first. */
enum ClassKey {
  NAMENODE_PLUGINS("dfs\\.namenode\\.plugins", "the NameNode does not start", Program.NAMENODE),
  REPLICATOR(
      "dfs\\.block\\.replicator\\.classname", "the NameNode does not start", Program.NAMENODE),
  EC_REPLICATOR(
      "dfs\\.block\\.placement\\.ec\\.classname", "the NameNode does not start", Program.NAMENODE),
  DATANODE_PLUGINS("dfs\\.datanode\\.plugins", "the DataNode does not start", Program.DATANODE),
  SCHEDULER(
      "yarn\\.resourcemanager\\.scheduler\\.class",
      "the ResourceManager does not start",
      Program.RESOURCEMANAGER),
  MONITOR_POLICIES(
      "yarn\\.resourcemanager\\.scheduler\\.monitor\\.policies",
      "the ResourceManager does not start",
      Program.RESOURCEMANAGER),
  AUX_SERVICE(
      "yarn\\.nodemanager\\.aux-services\\.[^.]+\\.class",
      "the NodeManager does not start",
      Program.NODEMANAGER),
  PREEMPTION_POLICY(
      "yarn\\.app\\.mapreduce\\.am\\.preemption\\.policy",
      "no application master starts",
      Program.TASK),
  /** The agent loads it, whoever it is from, and ends its application master if it cannot. */
  PREEMPTION_DELEGATE(
      "orchestra\\.prefetch\\.am\\.preemption-policy\\.delegate",
      "no application master starts",
      Program.TASK) {
    @Override
    Map<String, List<String>> named(Configuration conf) {
      return PREEMPTION_POLICY.named(conf).isEmpty() ? Map.of() : named(conf, name -> true);
    }
  },
  SHUFFLE_CONSUMER(
      "mapreduce\\.job\\.reduce\\.shuffle\\.consumer\\.plugin\\.class",
      "every reducer fails",
      Program.TASK),
  /** Hadoop warns if it cannot load one of these, and reads from HDFS. */
  ACCESSORS(
      "dfs\\.client\\.replica\\.accessor\\.builder\\.classes",
      "",
      Program.NODEMANAGER,
      Program.TASK,
      Program.CLIENT);

  private static final String OURS = "io.orchestra.hadoop.";

  private final Pattern key;
  private final String consequence;
  private final Set<Program> programs;

  ClassKey(String key, String consequence, Program... programs) {
    this.key = Pattern.compile(key);
    this.consequence = consequence;
    this.programs = Set.of(programs);
  }

  /** Who loads the classes. */
  Set<Program> programs() {
    return programs;
  }

  /** Whether a class that cannot be loaded ends the program. */
  boolean fatal() {
    return !consequence.isEmpty();
  }

  String consequence() {
    return consequence;
  }

  static boolean isOurs(String className) {
    return className.startsWith(OURS);
  }

  /** Whether jobs fail without our jar. */
  static boolean jobsNeedOurs(Configuration conf) {
    return Arrays.stream(values())
        .anyMatch(
            key ->
                key.fatal() && key.programs.contains(Program.TASK) && !key.named(conf).isEmpty());
  }

  /** Classes that a configuration names and that are looked for, by the full key. */
  Map<String, List<String>> named(Configuration conf) {
    return named(conf, ClassKey::isOurs);
  }

  /** Those of some kind. */
  final Map<String, List<String>> named(Configuration conf, Predicate<String> kind) {
    Map<String, List<String>> named = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      if (key.matcher(entry.getKey()).matches()) {
        List<String> classes =
            conf.getTrimmedStringCollection(entry.getKey()).stream().filter(kind).toList();
        if (!classes.isEmpty()) {
          named.put(entry.getKey(), classes);
        }
      }
    }
    return named;
  }
}
