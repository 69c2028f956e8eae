package io.orchestra.hadoop.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.install.HadoopHome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HomeOptionTest {
  @TempDir private Path directory;

  @Test
  void theConfigurationIsTheNamedOneThenTheVariablesThenTheHomes() {
    HadoopHome home = HadoopHome.open(new StandInHome(directory, "3.5.0").root());

    assertThat(HomeOption.configuration(home, Path.of("/named"), "/variable"))
        .isEqualTo(Path.of("/named"));
    assertThat(HomeOption.configuration(home, null, "/variable")).isEqualTo(Path.of("/variable"));
    assertThat(HomeOption.configuration(home, null, null)).isEqualTo(home.defaultConfiguration());
    // As in Hadoop's scripts; as a path it were the working directory.
    assertThat(HomeOption.configuration(home, null, " ")).isEqualTo(home.defaultConfiguration());
  }

  @Test
  void theHomesIsWhereHadoopsScriptsLook() {
    StandInHome standIn = new StandInHome(directory, "3.5.0");
    HadoopHome home = HadoopHome.open(standIn.root());

    assertThat(home.defaultConfiguration()).isEqualTo(directory.resolve("etc/hadoop"));

    standIn.write("conf/hadoop-env.sh", "");
    assertThat(home.defaultConfiguration()).isEqualTo(directory.resolve("conf"));
  }
}
