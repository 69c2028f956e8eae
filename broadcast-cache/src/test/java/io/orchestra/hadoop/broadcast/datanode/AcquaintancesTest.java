package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import org.junit.jupiter.api.Test;

final class AcquaintancesTest {
  private final Acquaintances acquaintances = new Acquaintances(2, "known liar"::equals);

  @Test
  void nobodyIsConnectedToTwiceAtATime() {
    assertThat(acquaintances.begin("one", Role.RECEIVER)).isTrue();
    assertThat(acquaintances.begin("one", Role.RECEIVER)).isFalse();
    acquaintances.notConnected("one");
    assertThat(acquaintances.begin("one", Role.RECEIVER)).isTrue();
  }

  @Test
  void whoHasSentWhatWasWrongIsNeverConnectedToAgain() {
    acquaintances.ban("liar", 7);
    assertThat(acquaintances.begin("liar", Role.SEED)).isFalse();
  }

  @Test
  void whoHasSentWhatWasWrongOfAnotherFileIsNotConnectedTo() {
    assertThat(acquaintances.begin("known liar", Role.SEED)).isFalse();
    acquaintances.claimed("known liar");
    assertThat(acquaintances.takeClaims()).isEmpty();
  }

  @Test
  void whoseCheckSumWasWrongIsKnownWhenThePieceComesFromAnother() {
    acquaintances.ban("liar", 7);
    acquaintances.ban("another liar", 8);
    assertThat(acquaintances.convicted(9)).isEmpty();
    assertThat(acquaintances.convicted(7)).containsExactly("liar");
  }

  @Test
  void receiversAreLimitedAndReplicasAreNot() {
    assertThat(acquaintances.begin("one", Role.RECEIVER)).isTrue();
    assertThat(acquaintances.begin("two", Role.RECEIVER)).isTrue();
    assertThat(acquaintances.begin("three", Role.RECEIVER)).isFalse();
    assertThat(acquaintances.begin("replica", Role.SEED)).isTrue();
  }

  @Test
  void asManyClaimsAreTakenAsThereIsRoomFor() {
    for (int claim = 0; claim < 5000; claim++) {
      acquaintances.claimed("peer" + claim);
    }
    assertThat(acquaintances.takeClaims()).hasSize(2);
    assertThat(acquaintances.takeClaims()).isEmpty();

    acquaintances.begin("one", Role.RECEIVER);
    acquaintances.begin("two", Role.RECEIVER);
    acquaintances.claimed("three");
    assertThat(acquaintances.takeClaims()).as("nobody asks the tracker in vain").isEmpty();
  }
}
