package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.meter.SysfsInterface;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkMeterTest {
  private static final long SECOND = 1_000_000_000;

  private final List<InetSocketAddress> lookedUp = new ArrayList<>();
  private long now = 100 * SECOND;
  private boolean isKnown;
  private final LinkMeter meter = meter(SysfsInterface::towards);

  private LinkMeter meter(LinkMeter.Route route) {
    return new LinkMeter(
        InetSocketAddress.createUnresolved("rm", 8124), this::lookUp, route, () -> now);
  }

  private InetSocketAddress lookUp(InetSocketAddress address) {
    lookedUp.add(address);
    return isKnown
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }

  @Test
  void aNameThatNobodyKnewIsLookedUpAgainButNotAllTheTime() {
    assertThat(meter.sample()).isEmpty();
    now += 30 * SECOND;
    assertThat(meter.sample()).isEmpty();
    assertThat(lookedUp).isEmpty();

    now += 1;
    assertThat(meter.sample()).isEmpty();
    assertThat(meter.sample()).isEmpty();
    assertThat(lookedUp).containsExactly(InetSocketAddress.createUnresolved("rm", 8124));

    isKnown = true;
    for (int minute = 0; minute < 3; minute++) {
      now += 60 * SECOND;
      assertThat(meter.sample()).as("this host itself has no link").isEmpty();
    }
    assertThat(lookedUp).as("it is known").hasSize(2);
  }

  @Test
  void whatPassesInAMomentIsMeasuredWithWhatPassesAfterIt() {
    LinkMeter loopback = meter(unused -> SysfsInterface.named("lo"));
    assertThat(loopback.sample()).as("since when").isEmpty();
    now += SECOND / 4 - 1;
    assertThat(loopback.sample()).isEmpty();
    now += 1;
    assertThat(loopback.sample()).isPresent();

    now += SECOND / 8;
    assertThat(loopback.sample()).isEmpty();
    now += SECOND / 8;
    assertThat(loopback.sample()).isPresent();
  }

  @Test
  void aMomentBeginsWhenTheInterfaceHasBeenRead() {
    LinkMeter slow =
        meter(
            unused -> {
              now += SECOND / 8;
              return SysfsInterface.named("lo");
            });
    assertThat(slow.sample()).as("since when").isEmpty();
    now += SECOND / 4 - 1;
    assertThat(slow.sample()).isEmpty();
    now += 1;
    assertThat(slow.sample()).isPresent();
  }
}
