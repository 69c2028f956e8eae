package io.orchestra.hadoop.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.StandInHome;
import io.orchestra.hadoop.operator.doctor.Finding.Level;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor misses in a configuration with Kerberos. */
final class KerberosCheckTest {
  private static final Set<Program> ALL = EnumSet.allOf(Program.class);

  @TempDir private Path directory;
  private ExaminedHost host;

  @BeforeEach
  void kerberosIsOn() throws IOException {
    host = ExaminedHost.with(directory, Role.DATANODE);
    security("kerberos");
  }

  @Test
  void whatIsMissingIsAProblemForThePluginsThatNeedIt() throws IOException, InterruptedException {
    assertThat(problems(List.of(Plugins.BROADCAST)))
        .singleElement()
        .asString()
        .contains("have no peers");
    assertThat(problems(List.of(Plugins.PREFETCH)))
        .satisfiesExactly(
            first -> assertThat(first).contains("the DataNode does not know yarn.resourcemanager"),
            second ->
                assertThat(second).contains("the ResourceManager does not know dfs.datanode"));
    assertThat(problems(List.of())).isEmpty();
  }

  @Test
  void whatIsThereIsFoundInTheFilesThatAreReadForIt() throws IOException, InterruptedException {
    host.hdfs().put("dfs.data.transfer.protection", "privacy");
    host.hdfs().put("dfs.datanode.kerberos.principal", "dn/_HOST");
    host.yarn().put("yarn.resourcemanager.principal", "rm/_HOST");

    assertThat(problems(List.of(Plugins.BROADCAST, Plugins.PREFETCH))).isEmpty();
  }

  @Test
  void tokensThatAreNotEncryptedAreNoted() throws IOException, InterruptedException {
    assertThat(texts(List.of(Plugins.PREFETCH), Level.NOTE))
        .singleElement()
        .asString()
        .contains("not encrypted");
  }

  /** As in the first of the two steps to privacy: who offers less gets less. */
  @Test
  void nothingBesidePrivacyEncrypts() throws IOException, InterruptedException {
    host.yarn().put("hadoop.rpc.protection", "privacy, authentication");
    assertThat(texts(List.of(Plugins.PREFETCH), Level.NOTE)).hasSize(1);

    host.yarn().put("hadoop.rpc.protection", "privacy");
    assertThat(texts(List.of(Plugins.PREFETCH), Level.NOTE)).isEmpty();
  }

  @Test
  void withoutKerberosNothingIsMissed() throws IOException, InterruptedException {
    security("simple");

    assertThat(problems(List.of(Plugins.BROADCAST, Plugins.PREFETCH))).isEmpty();
  }

  /** The doctor asks. */
  @Test
  void aHostIsLookedAtForItsPlugins() throws IOException, InterruptedException {
    host.hdfs().put("dfs.datanode.plugins", ExaminedHost.PEER);

    assertThat(host.problems(Role.DATANODE).stream().map(Finding::text))
        .anyMatch(text -> text.contains("have no peers"));
  }

  private void security(String authentication) {
    StandInHome unused =
        host.home()
            .configured(
                "core-site.xml",
                Map.of(
                    "fs.defaultFS",
                    "hdfs://namenode:8020",
                    "hadoop.security.authentication",
                    authentication));
  }

  private List<String> problems(List<Plugin> on) throws IOException, InterruptedException {
    return texts(on, Level.PROBLEM);
  }

  private List<String> texts(List<Plugin> on, Level level)
      throws IOException, InterruptedException {
    Findings unused = host.examine();
    Findings findings = new Findings();
    new KerberosCheck(ProgramConfigurations.read(host.home().configuration()), findings)
        .run(on, ALL);
    return ExaminedHost.texts(findings, level);
  }
}
