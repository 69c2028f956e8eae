package io.orchestra.hadoop.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.network.LinkCounters.LinkBytes;
import io.orchestra.hadoop.testbed.process.ProcDirectory;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinkCountersTest {
  private static final String TABLE =
      """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
       rack1-down: 4000 1 0 0 0 0 0 0 3000 2 0 0 0 0 0 0
          m1:   10 1 0 0 0 0 0 0 20 2 0 0 0 0 0 0
        r1h1:123456789012 1 0 0 0 0 0 0 5 2 0 0 0 0 0 0
      """;

  @Test
  void whatTheFabricReceivesWentUpAndWhatItSendsGoesDown(@TempDir Path proc) throws IOException {
    ProcDirectory.addProcess(proc, 77, "S", 1, "77\t1", "bash");
    Path directory = Files.createDirectories(proc.resolve("77/net"));
    Files.writeString(directory.resolve("dev"), TABLE);
    NetworkPlan plan = new NetworkPlan(1, 1, 1, Rate.UNLIMITED, Rate.UNLIMITED);
    LinkCounters counters =
        new LinkCounters(plan, new ProcessIdentity(77, 1), new ProcessTable(proc));
    assertThat(counters.read())
        .containsOnly(
            Map.entry("rack1", new LinkBytes(4000, 3000)),
            Map.entry("m1", new LinkBytes(10, 20)),
            Map.entry("r1h1", new LinkBytes(123456789012L, 5)));
  }
}
