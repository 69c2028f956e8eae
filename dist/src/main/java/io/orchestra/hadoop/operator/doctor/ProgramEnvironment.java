package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.ChildProcess;
import io.orchestra.hadoop.operator.install.HadoopHome;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the home's own scripts, with all that operators put into them, would start a program with.
 *
 * @param classPath as the program gets it
 * @param java the version's first number; 0 if the scripts find no Java that says it
 */
record ProgramEnvironment(ClassPath classPath, int java) {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /**
   * Does what {@code bin/hdfs} and {@code bin/yarn} do before they start Java, and tells instead of
   * starting; but for the jars of YARN's timeline service, which the latter adds for its daemons.
   * Without a usage of ours Hadoop's would be the last line of all, and not what is wrong. Words:
   * the home, the configuration, the script, the subcommand.
   */
  private static final String ASK =
      """
      export HADOOP_HOME=$1 HADOOP_LIBEXEC_DIR=$1/libexec
      HADOOP_NEW_CONFIG=true
      HADOOP_SHELL_EXECNAME=$3
      MYNAME=$1/bin/$3
      script=$3
      subcommand=$4
      hadoop_usage() { :; }
      set -- --config "$2"
      . "$HADOOP_LIBEXEC_DIR/$script-config.sh"
      HADOOP_SUBCMD=$subcommand
      hadoop_finalize
      echo "orchestra-classpath $CLASSPATH"
      echo "orchestra-java $("${JAVA:-java}" -version 2>&1 | grep -m 1 ' version "')"
      """;

  private static final Pattern CLASS_PATH =
      Pattern.compile("^orchestra-classpath (.*)$", Pattern.MULTILINE);
  private static final Pattern JAVA =
      Pattern.compile("^orchestra-java .*\"(?:1\\.)?(\\d+)", Pattern.MULTILINE);

  /**
   * @throws IOException if the scripts do not get so far; the message has the end of what they said
   */
  static ProgramEnvironment of(Program program, HadoopHome home, Path configuration)
      throws IOException, InterruptedException {
    return of(program, home, configuration, LONGEST);
  }

  /**
   * @param longest that the scripts may take
   */
  static ProgramEnvironment of(
      Program program, HadoopHome home, Path configuration, Duration longest)
      throws IOException, InterruptedException {
    String output =
        output(
            longest,
            "bash",
            "-c",
            ASK,
            "orchestra-doctor",
            home.root().toString(),
            configuration.toString(),
            program.script().orElseThrow(),
            program.subcommand());
    Matcher classPath = CLASS_PATH.matcher(output);
    if (!classPath.find()) {
      List<String> lines = output.lines().toList();
      throw new IOException(lines.isEmpty() ? "no output" : lines.get(lines.size() - 1));
    }
    Matcher java = JAVA.matcher(output);
    return new ProgramEnvironment(
        ClassPath.parse(List.of(classPath.group(1).split(":"))),
        java.find() ? Integer.parseInt(java.group(1)) : 0);
  }

  /**
   * All that a command says. It says it to a file: a pipe has no end while a program that the
   * scripts have left behind holds it.
   */
  private static String output(Duration longest, String... command)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("orchestra-doctor-", ".out");
    try (InputStream said = Files.newInputStream(file);
        ChildProcess scripts = started(command, file)) {
      if (!scripts.await(longest)) {
        throw new IOException("no end after %d s".formatted(longest.toSeconds()));
      }
      return new String(said.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static ChildProcess started(String[] command, Path output) throws IOException {
    try {
      return ChildProcess.start(
          new ProcessBuilder(command)
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile()));
    } finally {
      // Both ends have opened it: whatever ends this program, nothing is left.
      Files.delete(output);
    }
  }
}
