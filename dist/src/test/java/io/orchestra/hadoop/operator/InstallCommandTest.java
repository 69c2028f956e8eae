package io.orchestra.hadoop.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.install.Release;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class InstallCommandTest {
  private static final String RELEASE = "orchestra.release";

  @TempDir private Path directory;

  private StandInHome home;

  @BeforeEach
  void unpack() {
    home = new StandInHome(directory.resolve("hadoop"), "3.5.0");
    Release release = StandInRelease.make(directory.resolve("release"), "1.0", "one");
    System.setProperty(RELEASE, release.root().toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(RELEASE);
  }

  @Test
  void propertiesAreThoseOfTheRolesInstalledBeforeToo() {
    assertThat(install("--role", "namenode"))
        .contains("io.orchestra.hadoop.placement.LinkCollector")
        .doesNotContain("LinkReporter");

    assertThat(install("--role", "datanode"))
        .contains("hdfs-site.xml, read by NameNode, DataNode, ")
        .contains("io.orchestra.hadoop.placement.LinkCollector")
        .contains("io.orchestra.hadoop.placement.LinkReporter");
    assertThat(install("--role", "client", "--dry-run"))
        .contains("io.orchestra.hadoop.placement.LinkCollector")
        .contains("io.orchestra.hadoop.placement.LinkReporter");
  }

  @Test
  void aDryRunSaysThatItChangedNothing() {
    assertThat(install("--role", "namenode", "--dry-run"))
        .contains("would copy ")
        .contains("would write ")
        .contains("Nothing was changed.")
        .contains("io.orchestra.hadoop.placement.LinkCollector");
    assertThat(home.root().resolve("orchestra")).doesNotExist();
  }

  @Test
  void aHadoopThatIsNotTestedIsSaid() {
    assertThat(install("--role", "namenode")).doesNotContain("tested");

    home = new StandInHome(directory.resolve("other"), "3.4.9");

    assertThat(install("--role", "namenode"))
        .contains("Hadoop 3.4.9 is not among the tested versions (3.5.0, 3.4.2).");
  }

  @Test
  void whatNobodyThoughtOfIsALineAndNoStackTrace() {
    System.setProperty(RELEASE, "\0");
    StringWriter text = new StringWriter();

    int status =
        Operator.commandLine()
            .setErr(new PrintWriter(text))
            .execute("install", "--hadoop-home", home.root().toString(), "--role", "client");

    assertThat(status).isEqualTo(1);
    assertThat(text.toString())
        .startsWith("orchestra: java.nio.file.InvalidPathException: ")
        .contains("remedy: ")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"install", "doctor"})
  void aRoleThatDoesNotExistIsAWrongCommandLine(String command) {
    StringWriter text = new StringWriter();

    int status =
        Operator.commandLine()
            .setErr(new PrintWriter(text))
            .execute(command, "--hadoop-home", home.root().toString(), "--role", "client,worker");

    assertThat(status).isEqualTo(2);
    assertThat(text.toString())
        .contains("'worker' is not a role")
        .contains("remedy: use some of namenode, datanode, ");
    assertThat(home.root().resolve("orchestra")).doesNotExist();
  }

  private String install(String... words) {
    StringWriter text = new StringWriter();
    CommandLine command = Operator.commandLine().setOut(new PrintWriter(text));
    String[] all = new String[words.length + 3];
    all[0] = "install";
    all[1] = "--hadoop-home";
    all[2] = home.root().toString();
    System.arraycopy(words, 0, all, 3, words.length);
    assertThat(command.execute(all)).isZero();
    return text.toString();
  }
}
