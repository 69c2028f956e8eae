package io.orchestra.hadoop.testbed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InProcessClusterTest {
  private static final Path WORK = Path.of("/home/demo/in-process");

  @ParameterizedTest
  @CsvSource({
    "/jdk/bin/java, java -Dlogs=/home/demo/in-process/logs Client, true",
    "/usr/bin/bash, bash /home/demo/in-process/yarn/container.sh, true",
    "/usr/bin/vim, vim /home/demo/in-process/hdfs-site.xml, false",
    "/usr/bin/tail, tail -f /home/demo/in-process/logs/daemons, false",
    "/jdk/bin/java, java -Dlogs=/home/demo/in-process2/logs Client, false",
    "/jdk/bin/java, java Other, false",
    "'', java /home/demo/in-process/logs, false"
  })
  void onlyHadoopsProcessesArePartOfIt(String program, String commandLine, boolean part) {
    assertThat(InProcessCluster.isPart(program, commandLine, WORK)).isEqualTo(part);
  }
}
