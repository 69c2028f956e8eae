package io.orchestra.hadoop.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Installer;
import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class UninstallCommandTest {
  private record Outcome(int status, String output) {}

  @TempDir private Path directory;

  private StandInHome home;
  private Map<String, String> before;

  @BeforeEach
  void install() throws IOException {
    home =
        new StandInHome(directory.resolve("hadoop"), "3.5.0")
            .configured(
                "hdfs-site.xml",
                Map.of("dfs.namenode.plugins", "io.orchestra.hadoop.placement.LinkCollector"));
    before = home.everything();
    Release release = StandInRelease.make(directory.resolve("release"), "1.0", "one");
    assertThat(
            new Installer(release, HadoopHome.open(home.root()))
                .install(Set.of(Role.NAMENODE), false))
        .isNotEmpty();
  }

  @Test
  void whatTheConfigurationNamesIsRemovedByForceAlone() throws IOException {
    Map<String, String> installed = home.everything();

    Outcome refused = uninstall();
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.output()).contains("still names classes").contains("remedy: ");
    assertThat(home.everything()).isEqualTo(installed);

    Outcome forced = uninstall("--force");
    assertThat(forced.status()).isZero();
    assertThat(forced.output()).contains("remove ").contains("until they restart");
    assertThat(home.everything()).isEqualTo(before);
    assertThat(uninstall("--force").output()).contains("is not installed in " + home.root());
  }

  /** As with YARN_CONF_DIR. */
  @Test
  void whatScriptsLeadDaemonsToIsLookedAtToo() {
    home.configured("hdfs-site.xml", Map.of("dfs.namenode.plugins", "a.B"));
    Path other = directory.resolve("other");
    home.write("etc/hadoop/hadoop-env.sh", "HADOOP_CONF_DIR=" + other + "\n");
    StandInHome.writeTo(
        other.resolve("yarn-site.xml"),
        "<configuration><property><name>yarn.resourcemanager.scheduler.class</name><value>%s</value></property></configuration>"
            .formatted("io.orchestra.hadoop.prefetch.FlexFetchScheduler"));

    Outcome refused = uninstall();

    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.output())
        .contains("FlexFetchScheduler in " + other.resolve("yarn-site.xml"));
  }

  @Test
  void aDryRunSaysThatItChangedNothing() throws IOException {
    Map<String, String> installed = home.everything();

    assertThat(uninstall("--force", "--dry-run").output())
        .contains("would remove ")
        .contains("Nothing was changed.");

    assertThat(home.everything()).isEqualTo(installed);
  }

  /** As after an upgrade in place, to one that nothing could be installed in. */
  @Test
  void aHomeOfAnotherHadoopIsLeftAsItWas() throws IOException {
    Path jar = home.root().resolve("share/hadoop/common/hadoop-common-3.5.0.jar");
    Files.move(jar, jar.resolveSibling("hadoop-common-4.0.0.jar"));

    assertThat(uninstall("--force").status()).isZero();

    assertThat(home.root().resolve("orchestra")).doesNotExist();
    assertThat(uninstall("--force").output()).contains("is Hadoop 4.0.0, for which");
  }

  @Test
  void whatIsNotOursIsNamed() {
    home.write("orchestra/notes.txt", "mine");

    assertThat(uninstall("--force").output())
        .contains("left, since it is not ours: " + home.root().resolve("orchestra/notes.txt"));
  }

  private Outcome uninstall(String... words) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "uninstall",
                "--hadoop-home",
                home.root().toString(),
                "--conf",
                home.configuration().toString()));
    all.addAll(List.of(words));
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    CommandLine command = Operator.commandLine().setOut(writer).setErr(writer);
    int status = command.execute(all.toArray(String[]::new));
    return new Outcome(status, text.toString());
  }
}
