package io.orchestra.hadoop.integration.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.integration.EmulatedHosts;
import io.orchestra.hadoop.testbed.agent.MasterAgent;
import io.orchestra.hadoop.testbed.agent.WorkerAgent;
import io.orchestra.hadoop.testbed.cluster.ClusterSpec;
import io.orchestra.hadoop.testbed.cluster.RunningCluster;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Stock daemons on emulated hosts with placement on, and a client that writes while they break. */
final class FaultyCluster implements AutoCloseable {
  static final int WORKERS = 6;
  static final Rate HOST_RATE = Rate.parse("400mbit");
  private static final int FILE_BYTES = 1 << 20;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final RunningCluster running;
  private final HostProgram writer;
  private final HostProgram master;
  private int written;

  private FaultyCluster(RunningCluster running, HostProgram writer, HostProgram master) {
    this.running = running;
    this.writer = writer;
    this.master = master;
  }

  /** Skips the test where hosts cannot be emulated. */
  static FaultyCluster up(String purpose, boolean highlyAvailable) {
    EmulatedHosts.assumePossible();
    ClusterSpec spec =
        ClusterSpec.of(
                "it-" + purpose + "-" + ProcessHandle.current().pid(),
                2,
                3,
                HOST_RATE,
                Rate.parse("1200mbit"))
            .withHighAvailability(highlyAvailable)
            .withYarn(false)
            .with(
                List.of(Plugin.PLACEMENT),
                List.of(
                    new Setting(Site.HDFS, "orchestra.placement.min-block-size", "64k"),
                    // However busy the machine is, who is there is not taken for silent.
                    new Setting(Site.HDFS, "orchestra.placement.report.timeout", "10s"),
                    // On six hosts HDFS could rule out all that are not behind a cut link.
                    new Setting(Site.HDFS, "dfs.namenode.redundancy.considerLoad", "false"),
                    // A client fails when its idle connection turns out to be dead otherwise.
                    new Setting(Site.HDFS, "dfs.client.retry.policy.enabled", "true"),
                    // A client gives up on a silent DataNode after half a minute or more otherwise.
                    new Setting(Site.HDFS, "dfs.client.socket-timeout", "3000"),
                    new Setting(Site.HDFS, "dfs.namenode.heartbeat.recheck-interval", "3000")));
    RunningCluster running = EmulatedHosts.start(spec);
    try {
      HostProgram master =
          EmulatedHosts.program(running, "m1", Account.HDFS, "test-master", MasterAgent.class);
      HostProgram writer =
          EmulatedHosts.program(running, "r1h1", Account.ALICE, "test-writer", WorkerAgent.class);
      assertThat(master.receive(LONGEST)).isEqualTo("ready");
      assertThat(writer.receive(LONGEST)).startsWith("ready");
      FaultyCluster cluster = new FaultyCluster(running, writer, master);
      cluster.tell("fresh /faults", "fresh");
      return cluster;
    } catch (RuntimeException | Error failure) {
      running.close();
      throw failure;
    }
  }

  RunningCluster running() {
    return running;
  }

  /** Has the program on the master do something; returns what it answers after {@code expected}. */
  String tell(String line, String expected) {
    master.send(line);
    String answer = master.receive(LONGEST);
    assertThat(answer).startsWith(expected);
    return answer.substring(expected.length());
  }

  /** Starts writing files of one block; {@link #awaitWritten} waits for them. */
  void write(int files) {
    writer.send("write /faults/%d- %d %d 3".formatted(written, files, FILE_BYTES));
    written += files;
  }

  /** Returns when so many more files have been written; fails with the writer. */
  void awaitWritten(int files) {
    for (int file = 0; file < files; file++) {
      assertThat(writer.receive(LONGEST)).startsWith("wrote ");
    }
  }

  /** Returns when the writer is through with what it was told. */
  void awaitEnd() {
    assertThat(writer.receive(LONGEST)).isEqualTo("done");
  }

  void writeAll(int files) {
    write(files);
    awaitWritten(files);
    awaitEnd();
  }

  /** Writes files of one block into an empty directory, and nothing else into it. */
  void writeAll(String directory, int files) {
    tell("fresh " + directory, "fresh");
    writer.send("write %s/ %d %d 3".formatted(directory, files, FILE_BYTES));
    awaitWritten(files);
    awaitEnd();
  }

  /** How many of so many such files have a replica on a host, once all have their three. */
  long filesOn(String host, String directory, int files) {
    String all = "%d %d %d ".formatted(files, (long) files * FILE_BYTES, files);
    String told =
        await()
            .atMost(LONGEST)
            .until(
                () -> tell("check %s 3".formatted(directory), "files "),
                answer -> answer.startsWith(all));
    return Stream.of(told.substring(all.length()).split(" "))
        .filter(part -> part.startsWith(host + "="))
        .mapToLong(part -> Long.parseLong(part.substring(host.length() + 1)) / FILE_BYTES)
        .sum();
  }

  /** Everything that was ever written is there in its full length. */
  void assertNothingLost() {
    assertThat(tell("check /faults 3", "files "))
        .startsWith(written + " " + (long) written * FILE_BYTES + " ");
  }

  /** What the plugin in a NameNode tells; nothing if it does not answer. */
  Optional<JsonNode> report(String host) {
    return running.cluster().web().json("http://" + host + ":9870/orchestra/placement");
  }

  /** How many DataNodes' links a NameNode knows. */
  long reporting(String host) {
    return report(host)
        .map(
            report -> {
              long count = 0;
              for (JsonNode node : report.path("nodes")) {
                count += node.path("reporting").asBoolean() ? 1 : 0;
              }
              return count;
            })
        .orElse(0L);
  }

  /** Replicas a NameNode placed by the network. */
  long placed(String host) {
    return report(host)
        .map(report -> report.required("picks").required("network").asLong())
        .orElse(0L);
  }

  @Override
  public void close() {
    try (running) {
      writer.close();
      master.close();
      running.succeeded();
    }
  }
}
