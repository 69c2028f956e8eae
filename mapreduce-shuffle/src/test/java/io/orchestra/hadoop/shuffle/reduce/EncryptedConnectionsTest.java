package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import io.orchestra.hadoop.shuffle.WeightedShuffleHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sizes, ranges and whole outputs come through TLS where the job's shuffle has it. */
@Timeout(300)
final class EncryptedConnectionsTest {
  private static final String PASSWORD = "password";

  @TempDir Path directory;

  @Test
  void everythingComesThroughTls() throws IOException, InterruptedException {
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = new Configuration();
    encrypt(conf);
    Records large = Records.random(0, 0, 20_000, 1000);
    Records small = Records.random(1, 0, 10, 10);
    try (ShuffleNode node =
        new ShuffleNode(directory.resolve("node"), new WeightedShuffleHandler(), conf)) {
      node.outputs().write(ShuffledJob.attempt(0), List.of(large.part(conf, null)));
      node.outputs().write(ShuffledJob.attempt(1), List.of(small.part(conf, null)));
      assertThat(node.url()).startsWith("https:");
      // The first of a process may take so long to begin that sizes come too late for ranges.
      long before = 0;
      for (String name : List.of("first", "second")) {
        before = RunningJob.ranges();
        Reducer reducer = new Reducer(directory.resolve(name), node.outputs(), 2, 1, 0);
        encrypt(reducer.conf());
        reducer.conf().setLong("mapreduce.reduce.memory.totalbytes", 4 << 20);
        reducer.conf().set("orchestra.shuffle.gate", "always");
        reducer.finished(ShuffledJob.attempt(0), node);
        reducer.finished(ShuffledJob.attempt(1), node);

        assertThat(reducer.run(new WeightedShuffle<>()))
            .containsAllEntriesOf(large.values())
            .containsAllEntriesOf(small.values())
            .hasSize(20_010);
        assertThat(reducer.counter("failed")).isZero();
      }
      assertThat(ServerMetrics.sum("SizesAnswered")).isPositive();
      assertThat(RunningJob.ranges(before + 3) - before).as("of the second").isGreaterThan(2);
    }
  }

  private void encrypt(Configuration conf) throws IOException, InterruptedException {
    conf.setBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, true);
    for (String side : List.of("server", "client")) {
      conf.set("hadoop.ssl." + side + ".conf", settings(side));
    }
  }

  /** Hadoop looks for these files on the class path. */
  private String settings(String side) throws IOException, InterruptedException {
    Path keys = keys();
    Configuration settings = new Configuration(false);
    for (Map.Entry<String, String> setting :
        Map.of(
                "keystore.location", keys.toString(),
                "keystore.password", PASSWORD,
                "keystore.keypassword", PASSWORD,
                "truststore.location", keys.toString(),
                "truststore.password", PASSWORD)
            .entrySet()) {
      settings.set("ssl." + side + "." + setting.getKey(), setting.getValue());
    }
    String name = "encrypted-connections-" + side + ".xml";
    Path classes =
        Path.of(
            URI.create(
                EncryptedConnectionsTest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString()));
    try (OutputStream out = Files.newOutputStream(classes.resolve(name))) {
      settings.writeXml(out);
    }
    return name;
  }

  /** One key for a server that calls itself localhost; whoever has it is trusted. */
  private Path keys() throws IOException, InterruptedException {
    Path keys = directory.resolve("keys");
    if (Files.notExists(keys)) {
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "server",
                  "-keyalg",
                  "RSA",
                  "-dname",
                  "CN=localhost",
                  "-storetype",
                  "JKS",
                  "-keystore",
                  keys.toString(),
                  "-storepass",
                  PASSWORD,
                  "-keypass",
                  PASSWORD)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("keytool.log").toFile())
              .start();
      assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(keytool.exitValue()).isZero();
    }
    return keys;
  }
}
