package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.HadoopScripts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the home's own scripts, with all that operators put into them, would start a program with.
 *
 * @param classPath as the program gets it
 * @param configuration the directory that it is configured by
 * @param java which it is started with
 */
record ProgramEnvironment(ClassPath classPath, Path configuration, Java java) {

  /**
   * @param version its first number; 0 if the scripts find no Java that says it
   * @param isOfShell whether the scripts know it only from the environment in which they were asked
   */
  record Java(int version, boolean isOfShell) {}

  private static final String QUESTION =
      """
      echo "orchestra-classpath $CLASSPATH"
      echo "orchestra-configuration $HADOOP_CONF_DIR"
      echo "orchestra-java $("${JAVA:-java}" -version 2>&1 | grep -m 1 ' version "')"
      """;

  private static final Pattern CLASS_PATH =
      Pattern.compile("^orchestra-classpath (.*)$", Pattern.MULTILINE);
  private static final Pattern CONFIGURATION =
      Pattern.compile("^orchestra-configuration (.*)$", Pattern.MULTILINE);
  private static final Pattern JAVA =
      Pattern.compile("^orchestra-java .*\"(?:1\\.)?(\\d+)", Pattern.MULTILINE);

  /**
   * @throws IOException if the scripts do not get so far; the message has the end of what they said
   */
  static ProgramEnvironment of(Program program, HadoopHome home, Path configuration)
      throws IOException, InterruptedException {
    return of(
        program,
        home,
        configuration,
        HadoopScripts.LONGEST,
        Optional.ofNullable(System.getenv(HadoopScripts.JAVA_HOME)));
  }

  /**
   * @param longest that the scripts may take
   * @param javaHome of the environment; a daemon may be started in another, so the scripts get it
   *     only if they find no Java without it
   */
  static ProgramEnvironment of(
      Program program,
      HadoopHome home,
      Path configuration,
      Duration longest,
      Optional<String> javaHome)
      throws IOException, InterruptedException {
    HadoopScripts scripts = new HadoopScripts(home, configuration, longest);
    String script = program.script().orElseThrow();
    String said = scripts.said(script, program.subcommand(), QUESTION, Optional.empty());
    boolean isOfShell =
        javaHome.isPresent()
            && !CLASS_PATH.matcher(said).find()
            && HadoopScripts.lastLine(said).contains(HadoopScripts.JAVA_HOME);
    return parse(
        isOfShell ? scripts.said(script, program.subcommand(), QUESTION, javaHome) : said,
        isOfShell);
  }

  private static ProgramEnvironment parse(String said, boolean isJavaOfShell) throws IOException {
    Matcher classPath = CLASS_PATH.matcher(said);
    Matcher configured = CONFIGURATION.matcher(said);
    if (!classPath.find() || !configured.find()) {
      throw new IOException(HadoopScripts.lastLine(said));
    }
    Matcher java = JAVA.matcher(said);
    return new ProgramEnvironment(
        ClassPath.parse(List.of(classPath.group(1).split(":"))),
        Path.of(configured.group(1)),
        new Java(java.find() ? Integer.parseInt(java.group(1)) : 0, isJavaOfShell));
  }
}
