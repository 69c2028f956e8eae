package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A home's own scripts, with all that operators put into them: what they would start programs with.
 * What of the caller's environment daemons may not have, they do not get.
 *
 * @param configuration that the scripts are told to use
 * @param longest that they may take
 */
public record HadoopScripts(HadoopHome home, Path configuration, Duration longest) {
  public static final Duration LONGEST = Duration.ofSeconds(60);
  public static final String JAVA_HOME = "JAVA_HOME";

  /** Yarn's scripts would take it for more than what they are told. */
  public static final String YARN_CONF_DIR = "YARN_CONF_DIR";

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
      """;

  private static final Pattern CONFIGURATION =
      Pattern.compile("^orchestra-configuration (.*)$", Pattern.MULTILINE);

  /**
   * All that they say of a program that they would start.
   *
   * @param question what is asked in the end, in the shell's language
   * @param javaHome that they may take for theirs if they name no other
   */
  public String said(String script, String subcommand, String question, Optional<String> javaHome)
      throws IOException, InterruptedException {
    // To a file: a pipe has no end while a program that the scripts have left behind holds it.
    Path file = Files.createTempFile("orchestra-scripts-", ".out");
    ProcessBuilder process =
        new ProcessBuilder(
            "bash",
            "-c",
            ASK + question,
            "orchestra",
            home.root().toString(),
            configuration.toString(),
            script,
            subcommand);
    process.environment().keySet().removeAll(List.of(JAVA_HOME, YARN_CONF_DIR));
    javaHome.ifPresent(java -> process.environment().put(JAVA_HOME, java));
    try (InputStream said = Files.newInputStream(file);
        ChildProcess scripts = started(process, file)) {
      if (!scripts.await(longest)) {
        throw new IOException("no end after %d s".formatted(longest.toSeconds()));
      }
      return new String(said.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static ChildProcess started(ProcessBuilder process, Path output) throws IOException {
    try {
      return ChildProcess.start(
          process
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile()));
    } finally {
      // Both ends have opened it: whatever ends this program, nothing is left.
      Files.delete(output);
    }
  }

  /** Of what they have said, which is what went wrong if anything did. */
  public static String lastLine(String said) {
    return said.lines().reduce("no output", (before, line) -> line);
  }

  /**
   * The directory by which they would have a daemon configured; empty if the home has no such
   * script any more.
   *
   * @throws IOException if they do not say
   */
  public Optional<Path> configurationOf(String script, String daemon)
      throws IOException, InterruptedException {
    if (!Files.exists(home.root().resolve("libexec/%s-config.sh".formatted(script)))) {
      return Optional.empty();
    }
    String said =
        said(
            script,
            daemon,
            "echo \"orchestra-configuration $HADOOP_CONF_DIR\"",
            // Whichever it is, it is not started.
            Optional.of(System.getProperty("java.home")));
    Matcher configured = CONFIGURATION.matcher(said);
    if (!configured.find()) {
      throw new IOException(lastLine(said));
    }
    Path directory = Path.of(configured.group(1));
    if (!directory.isAbsolute()) {
      throw new IOException("HADOOP_CONF_DIR is '%s' in the end".formatted(directory));
    }
    return Optional.of(directory.normalize());
  }
}
