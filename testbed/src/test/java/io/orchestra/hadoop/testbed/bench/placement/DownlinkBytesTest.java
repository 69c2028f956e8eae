package io.orchestra.hadoop.testbed.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.network.LinkCounters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DownlinkBytesTest {
  private static final List<String> HOSTS = List.of("a", "b", "c", "d");

  private final Map<String, LinkCounters.LinkBytes> counters = new HashMap<>();
  private List<String> busy = List.of("a", "b");
  private final DownlinkBytes downlinks = new DownlinkBytes(() -> counters, HOSTS, () -> busy);

  DownlinkBytesTest() {
    carry(1000, 1000, 1000, 1000);
    assertThat(downlinks.read())
        .containsEntry("a down", 1000L)
        .containsEntry(DownlinkBytes.BUSY, 0L)
        .containsEntry(DownlinkBytes.OTHERS, 0L);
  }

  @Test
  void derivedLinksCarryTheMeansOfBusyAndOfOtherLinks() {
    carry(100, 60, 20, 40);
    assertThat(downlinks.read())
        .containsEntry("a down", 1100L)
        .containsEntry(DownlinkBytes.BUSY, 80L)
        .containsEntry(DownlinkBytes.OTHERS, 30L);
  }

  @Test
  void theyFollowTheBackgroundTraffic() {
    busy = List.of("c");
    downlinks.read();
    carry(3, 6, 90, 9);
    assertThat(downlinks.read())
        .containsEntry(DownlinkBytes.BUSY, 90L)
        .containsEntry(DownlinkBytes.OTHERS, 6L);
  }

  @Test
  void changeBetweenReadingsCountsHalfByEitherSet() {
    busy = List.of("c", "d");
    carry(100, 100, 20, 20);
    assertThat(downlinks.read())
        .containsEntry(DownlinkBytes.BUSY, 60L)
        .containsEntry(DownlinkBytes.OTHERS, 60L);
  }

  @Test
  void withoutBackgroundTrafficAllAreOthers() {
    busy = List.of();
    downlinks.read();
    carry(10, 20, 30, 40);
    assertThat(downlinks.read())
        .containsEntry(DownlinkBytes.BUSY, 0L)
        .containsEntry(DownlinkBytes.OTHERS, 25L);
  }

  /** Lets so many bytes come down to each host, and some go up. */
  private void carry(long... bytes) {
    for (int host = 0; host < HOSTS.size(); host++) {
      long before = counters.getOrDefault(HOSTS.get(host), new LinkCounters.LinkBytes(0, 0)).down();
      counters.put(HOSTS.get(host), new LinkCounters.LinkBytes(7, before + bytes[host]));
    }
  }
}
