package io.orchestra.hadoop.testbed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class OrchestraTest {
  private final StringWriter error = new StringWriter();
  private final StringWriter output = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cluster up --host-rate fast | 'fast' is not a rate",
        "cluster up --racks 0 | racks: 1 to 200",
        "cluster up --secure --ha | leave out --ha or --secure",
        "cluster up --racks many | 'many' is not an int",
        "cluster up --plugins nonsense | 'nonsense' is not a plugin",
        "cluster up --set x=y | site:key=value",
        "cluster fault kill r1h1 unknown | 'unknown' is not a daemon",
        "cluster fault rate r1h1 | <RATE>",
        "cluster hadoop --user nobody hdfs | there is no user 'nobody'",
        "cluster exec r1h1 | PROGRAM",
        "cluster fly | fly",
        "trace record | --out",
        "trace record --out / | --out: / is a directory",
        "bench no-such-benchmark | there is no benchmark 'no-such-benchmark'",
      })
  void wrongCommandLinesAreUsageErrorsThatSayWhatIsWrong(String words, String message) {
    assertThat(run(words)).isEqualTo(ExitStatus.USAGE);
    assertThat(error.toString()).contains(message.replace("<", "").replace(">", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "cluster --help",
        "cluster up --help",
        "cluster status --help",
        "cluster hadoop --help",
        "cluster exec --help",
        "cluster fault --help",
        "cluster fault rate --help",
        "cluster logs --help",
        "cluster down --help",
        "demo --help",
        "bench --help",
        "trace --help",
        "trace record --help",
      })
  void everyCommandExplainsItself(String words) {
    assertThat(run(words)).isEqualTo(ExitStatus.SUCCESS);
    assertThat(output.toString()).startsWith("Usage: orchestra");
  }

  @Test
  void badNameOfAClusterIsAFailureInOneLine() {
    assertThat(run("cluster status --name Not/Good")).isEqualTo(ExitStatus.FAILURE);
    assertThat(error.toString()).startsWith("orchestra: 'Not/Good' is no name").hasLineCount(1);
  }

  @Test
  void wordsThatBeginWithAnAtSignAreThoseOfThePrograms(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "--help");
    CommandLine.ParseResult parsed =
        Orchestra.commandLine().parseArgs("cluster", "hadoop", "hdfs", "dfs", "-put", "@" + file);
    assertThat(parsed.subcommand().subcommand().matchedPositionals().get(0).originalStringValues())
        .endsWith("@" + file);
    parsed = Orchestra.commandLine().parseArgs("cluster", "exec", "m1", "--", "curl", "@" + file);
    assertThat(parsed.subcommand().subcommand().matchedPositionals().get(1).originalStringValues())
        .containsExactly("curl", "@" + file);
  }

  private int run(String words) {
    CommandLine commandLine = Orchestra.commandLine();
    commandLine.setErr(new PrintWriter(error, true));
    commandLine.setOut(new PrintWriter(output, true));
    return commandLine.execute(words.split(" "));
  }
}
