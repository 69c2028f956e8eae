package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HostSharesTest {
  private final HostShares shares = new HostShares(3);
  private final HostShares.Share one = shares.of("one");
  private final HostShares.Share two = shares.of("two");

  @Test
  void oneHostHasAtMostHalf() {
    assertThat(one.tryTake()).isTrue();
    assertThat(one.tryTake()).isTrue();
    assertThat(one.tryTake()).isFalse();
    assertThat(two.tryTake()).isTrue();
    assertThat(two.tryTake()).as("all are taken").isFalse();

    one.giveBack();
    assertThat(two.tryTake()).isTrue();
  }

  @Test
  void whatCannotBeHadOfAllIsNotCountedAsTheHosts() {
    one.tryTake();
    one.tryTake();
    HostShares.Share three = shares.of("three");
    three.tryTake();
    assertThat(two.tryTake()).isFalse();
    assertThat(two.tryTake()).isFalse();
    one.giveBack();
    three.giveBack();
    assertThat(two.tryTake()).isTrue();
    assertThat(two.tryTake()).isTrue();
  }

  @Test
  void whoWaitsGetsWhatIsGivenBack() throws InterruptedException {
    one.take();
    one.take();
    Thread waiting =
        new Thread(
            () -> {
              try {
                one.take();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    one.giveBack();
    waiting.join(10_000);
    assertThat(waiting.isAlive()).isFalse();
    assertThat(one.tryTake()).isFalse();
  }
}
