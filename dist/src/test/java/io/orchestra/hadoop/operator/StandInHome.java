package io.orchestra.hadoop.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Hadoop home with nothing in it but what an installation touches and asks: names of jars, and
 * scripts with the few functions of Hadoop's that shell profiles call.
 */
public final class StandInHome {
  /** What {@code bin/hdfs} and {@code bin/yarn} read, before they know which program they start. */
  private static final String CONFIG_SCRIPT =
      """
      HADOOP_CONF_DIR=$2
      CLASSPATH=
      HADOOP_SHELL_PROFILES=
      JAVA=${JAVA_HOME:-@java@}/bin/java
      hadoop_add_profile() { HADOOP_SHELL_PROFILES+=" $1"; }
      hadoop_add_classpath() {
        [ -e "${1%/\\*}" ] || return 1
        case ":$CLASSPATH:" in *":$1:"*) return 0 ;; esac
        CLASSPATH=${CLASSPATH:+$CLASSPATH:}$1
      }
      hadoop_finalize() {
        local profile
        for profile in $HADOOP_SHELL_PROFILES; do
          ! declare -F _${profile}_hadoop_finalize > /dev/null || _${profile}_hadoop_finalize
        done
        CLASSPATH=$HADOOP_CONF_DIR:$CLASSPATH${HADOOP_CLASSPATH:+:$HADOOP_CLASSPATH}
      }
      [ ! -e "$HADOOP_CONF_DIR/hadoop-env.sh" ] || . "$HADOOP_CONF_DIR/hadoop-env.sh"
      for profile in "$HADOOP_LIBEXEC_DIR"/shellprofile.d/*.sh; do
        [ ! -f "$profile" ] || . "$profile"
      done
      hadoop_add_classpath "$HADOOP_HOME/share/hadoop/common/*"
      """
          .replace("@java@", System.getProperty("java.home"));

  private final Path root;

  public StandInHome(Path root, String version) {
    this.root = root;
    write("share/hadoop/common/hadoop-common-" + version + ".jar", "");
    write("share/hadoop/common/hadoop-common-" + version + "-tests.jar", "");
    write("libexec/hdfs-config.sh", CONFIG_SCRIPT);
    write("libexec/yarn-config.sh", CONFIG_SCRIPT);
    write("libexec/shellprofile.d/example.sh", "# another profile\n");
    write("etc/hadoop/core-site.xml", site(Map.of("fs.defaultFS", "hdfs://namenode:8020")));
  }

  public Path root() {
    return root;
  }

  public Path configuration() {
    return root.resolve("etc/hadoop");
  }

  /** Writes a file of the configuration. */
  public StandInHome configured(String file, Map<String, String> properties) {
    write("etc/hadoop/" + file, site(properties));
    return this;
  }

  public void write(String file, String text) {
    writeTo(root.resolve(file), text);
  }

  public static void writeTo(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String site(Map<String, String> properties) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    new TreeMap<>(properties)
        .forEach(
            (key, value) ->
                text.append(
                    "<property><name>%s</name><value>%s</value></property>\n"
                        .formatted(key, value)));
    return text.append("</configuration>\n").toString();
  }

  /** The class path that the home's scripts give a program, one element each. */
  public List<String> classPath(String subcommand) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "bash",
                "-uc",
                """
                HADOOP_HOME=$1 HADOOP_LIBEXEC_DIR=$1/libexec subcommand=$2
                set -- --config "$1/etc/hadoop"
                . "$HADOOP_LIBEXEC_DIR/hdfs-config.sh"
                HADOOP_SUBCMD=$subcommand
                hadoop_finalize
                echo "$CLASSPATH"
                """,
                "bash",
                root.toString(),
                subcommand)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
    return List.of(output.strip().split(":"));
  }

  /** Everything in the home: permissions and content, or where a link leads, by path. */
  public Map<String, String> everything() throws IOException {
    Map<String, String> everything = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        everything.put(root.relativize(path).toString(), describe(path));
      }
    }
    return everything;
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "-> " + Files.readSymbolicLink(path);
    }
    String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    return Files.isDirectory(path) ? permissions : permissions + " " + Files.readString(path);
  }

  /** The names of everything that is in one and not, or not so, in the other. */
  public static List<String> differences(Map<String, String> one, Map<String, String> other) {
    List<String> names = new ArrayList<>();
    Stream.of(one.keySet(), other.keySet())
        .flatMap(Set::stream)
        .distinct()
        .filter(name -> !Objects.equals(one.get(name), other.get(name)))
        .forEach(names::add);
    Collections.sort(names);
    return names;
  }
}
