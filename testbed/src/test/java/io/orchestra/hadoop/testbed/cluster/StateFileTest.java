package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StateFileTest {
  private static final ClusterState STATE =
      new ClusterState(
          Specs.of(true, List.of(Plugin.PLACEMENT), Setting.parse("hdfs:dfs.blocksize=1m"))
              .overriddenBy(List.of(Setting.parse("hdfs:dfs.replication=1"))),
          true,
          "/h",
          "3.5.0",
          Map.of("m1", new ProcessIdentity(12, 3456789012L)),
          Map.of("r1h1", Rate.parse("10mbit")),
          Map.of("rack1", true));

  @TempDir private Path directory;

  @Test
  void stateSurvivesARoundTrip() {
    StateFile file = new StateFile(directory.resolve("state.json"));
    assertThat(file.read()).isEmpty();
    file.write(STATE);
    assertThat(file.read()).contains(STATE);
    assertThat(directory).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void kerberosIsRemembered() {
    StateFile file = new StateFile(directory.resolve("state.json"));
    ClusterState secure = STATE.withSpec(Specs.of(false, List.of()).withKerberos(true));
    file.write(secure);
    assertThat(file.read()).contains(secure);
    assertThat(secure.spec().with(List.of(), List.of()).kerberos()).isTrue();
  }

  @Test
  void brokenFileIsReportedWithTheRemedy() throws IOException {
    Path path = directory.resolve("state.json");
    Files.writeString(path, "{");
    assertThatThrownBy(() -> new StateFile(path).read())
        .hasMessageContaining(path.toString())
        .hasMessageContaining("cluster down");
  }

  @Test
  void changesOfLinksAreRemembered() {
    assertThat(STATE.rate("r1h1")).isEqualTo(Rate.parse("10mbit"));
    assertThat(STATE.rate("r1h2")).isEqualTo(Rate.parse("100mbit"));
    assertThat(STATE.withRate("r1h2", Rate.UNLIMITED).rate("r1h2")).isEqualTo(Rate.UNLIMITED);
    assertThat(STATE.isCut("rack1")).isTrue();
    assertThat(STATE.withCut("rack1", false).isCut("rack1")).isFalse();
    assertThat(STATE.withCut("r1h1", true).isCut("r1h1")).isTrue();
  }
}
