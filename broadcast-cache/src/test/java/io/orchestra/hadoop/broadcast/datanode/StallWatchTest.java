package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.Pieces;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.NeighbourProto.Role;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StallWatchTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final DownloadProgress progress = new DownloadProgress(100, 0, 0);
  private final StallWatch watch = new StallWatch(config(), progress, 1 << 20, 0);

  private static BroadcastConfig config() {
    try {
      return BroadcastConfig.from(new Configuration(false));
    } catch (InvalidConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatBringsNothingForTheLimitIsGivenUp() {
    tickUntil(5 * SECOND);
    assertThat(verdict(5 * SECOND, true, 5 * SECOND)).isEmpty();
    assertThat(verdict(5 * SECOND + 1, true, 5 * SECOND + 1)).isPresent();
  }

  @Test
  void withoutReplicasThereIsTimeToAskOthers() {
    tickUntil(7 * SECOND);
    assertThat(verdict(7 * SECOND, false, 7 * SECOND)).isEmpty();
    assertThat(verdict(8 * SECOND, false, 7 * SECOND + 1)).isPresent();
  }

  @Test
  void bytesThatNeverMakeAPieceDoNotKeepAFile() {
    // Twice the limit and what a piece takes at 64 KiB/s, and half of the limit.
    long longest = (2 * 5 + 16) * SECOND + 5 * SECOND / 2;
    tickUntil(longest);
    assertThat(verdict(0, true, longest)).isEmpty();
    assertThat(verdict(0, true, longest + 1)).isPresent();
  }

  @Test
  void whoHasStoodStillHimselfBlamesNobody() {
    assertThat(verdict(60 * SECOND, true, 60 * SECOND)).isEmpty();
    for (long now = 60 * SECOND; now <= 65 * SECOND; now += SECOND / 2) {
      assertThat(verdict(now, true, now)).as("what may come now has as long as ever").isEmpty();
    }
    assertThat(verdict(65 * SECOND + 1, true, 65 * SECOND + 1)).isPresent();
  }

  @Test
  void whatHasComeSinceItStoodStillIsNoExcuse() {
    assertThat(verdict(60 * SECOND, true, 60 * SECOND)).isEmpty();
    for (long now = 60 * SECOND; now < 65 * SECOND; now += SECOND / 2) {
      assertThat(verdict(0, true, now)).isEmpty();
    }
    assertThat(verdict(5 * SECOND - 1, true, 65 * SECOND)).as("a byte came").isEmpty();
    assertThat(verdict(5 * SECOND + 1, true, 65 * SECOND + 2)).isPresent();
  }

  /** What was in buffers is read before the clock is looked at. */
  @Test
  void whatHasComeWhileItStoodStillIsExcusedOnlyFromThenOn() {
    assertThat(verdict(SECOND, true, 60 * SECOND)).isEmpty();
    for (long now = 60 * SECOND; now < 65 * SECOND; now += SECOND / 2) {
      assertThat(verdict(now - 59 * SECOND, true, now)).isEmpty();
    }
    assertThat(verdict(6 * SECOND + 1, true, 65 * SECOND + 1)).isPresent();
  }

  @Test
  void aShorterTimeOfStandingStillCountsSoonAfterALongerOne() {
    assertThat(verdict(60 * SECOND, true, 60 * SECOND)).isEmpty();
    for (long now = 60 * SECOND; now <= 70 * SECOND; now += SECOND / 2) {
      assertThat(verdict(0, true, now)).isEmpty();
    }
    assertThat(verdict(7 * SECOND + 1, true, 77 * SECOND)).isEmpty();
  }

  @Test
  void anotherTimeOfStandingStillCountsWhenTheFirstIsLongOver() {
    assertThat(verdict(60 * SECOND, true, 60 * SECOND)).isEmpty();
    progress.read(0, 1, 100 * SECOND);
    for (long now = 60 * SECOND; now <= 100 * SECOND; now += SECOND / 2) {
      assertThat(verdict(0, true, now)).isEmpty();
    }
    assertThat(verdict(10 * SECOND, true, 110 * SECOND)).isEmpty();
  }

  @Test
  void aClockThatIsAlwaysLateKeepsAFileNoLongerThanItIsLate() {
    for (long now = 2 * SECOND; now <= 6 * SECOND; now += 2 * SECOND) {
      assertThat(verdict(now, true, now)).isEmpty();
    }
    assertThat(verdict(8 * SECOND, true, 8 * SECOND)).isPresent();
  }

  @Test
  void othersAreAskedForMoreAndMoreRarelyWhileNothingComes() {
    int asked = 0;
    for (long now = 0; now < 60 * SECOND; now += SECOND / 10) {
      asked += watch.needsMore(now, now) ? 1 : 0;
    }
    assertThat(asked).isBetween(4, 6);
    assertThat(watch.needsMore(0, 60 * SECOND)).isFalse();
    assertThat(watch.needsMore(2 * SECOND, 62 * SECOND)).as("something has come").isTrue();
  }

  /** All that is asked for comes at the same time, over one slow link. */
  @ParameterizedTest
  @ValueSource(longs = {100_000_000, 1_000_000_000, 10_000_000_000L})
  void aFileThatComesAtAMegabyteASecondIsNotGivenUpBeforeItsFirstPieceIsWhole(long fileLength) {
    int pieceLength = Pieces.length(fileLength);
    long firstWhole = (long) config().requests().inAll() * pieceLength * SECOND / 1_000_000;
    StallWatch slow = new StallWatch(config(), progress, pieceLength, 0);
    for (long now = 0; now <= firstWhole; now += SECOND / 10) {
      assertThat(verdict(slow, 0, true, now)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {100_000_000, 1_000_000_000, 10_000_000_000L})
  void aNeighbourIsLeftThatIsSilentForTheLimitOrTakesForEverForAPiece(long fileLength) {
    int pieceLength = Pieces.length(fileLength);
    StallWatch large = new StallWatch(config(), progress, pieceLength, 0);
    NeighbourConnection neighbour = neighbour(pieceLength);
    List<NeighbourConnection> one = List.of(neighbour);
    long lastByte = neighbour.lastByte();
    assertThat(large.tooSlow(one, List.of(), lastByte + 5 * SECOND)).isEmpty();
    assertThat(large.tooSlow(one, List.of(), lastByte + 5 * SECOND + 1)).isEqualTo(one);
    assertThat(large.tooSlow(one, one, lastByte)).isEqualTo(one);
    assertThat(large.silentSince(lastByte)).isEqualTo(lastByte - 5 * SECOND);
    long atTheSlowest = pieceLength / (64 << 10) * SECOND;
    long longest = 10 * SECOND + atTheSlowest;
    assertThat(large.slowSince(lastByte)).isEqualTo(lastByte - longest);
  }

  @Test
  void whoHasStoodStillHimselfLeavesNobody() {
    NeighbourConnection neighbour = neighbour(1 << 20);
    List<NeighbourConnection> one = List.of(neighbour);
    long lastByte = neighbour.lastByte();
    StallWatch sleeper = new StallWatch(config(), progress, 1 << 20, lastByte);
    long woke = lastByte + 60 * SECOND;
    sleeper.tick(woke);
    assertThat(sleeper.tooSlow(one, List.of(), woke)).isEmpty();
    assertThat(sleeper.silentSince(woke)).as("what was asked for just before").isLessThan(lastByte);
    assertThat(sleeper.slowSince(woke)).isLessThan(lastByte);
    assertThat(sleeper.tooSlow(one, List.of(), woke + 5 * SECOND + 1)).isEqualTo(one);
  }

  /** It has said nothing. */
  private static NeighbourConnection neighbour(int pieceLength) {
    FileLayout layout =
        new FileLayout(List.of(new BlockKey("pool", 1, 1)), List.of(128L << 20), pieceLength);
    PeerAddress address = new PeerAddress("a DataNode", "localhost", 8121);
    return new NeighbourConnection(
        new Introduction(address, true, Role.RECEIVER, ImmutableSet.of()),
        null,
        layout,
        new PieceBuffers(pieceLength));
  }

  private Optional<String> verdict(long idle, boolean helped, long now) {
    return verdict(watch, idle, helped, now);
  }

  private static Optional<String> verdict(StallWatch watch, long idle, boolean helped, long now) {
    watch.tick(now);
    return watch.verdict(idle, helped, now);
  }

  private void tickUntil(long end) {
    for (long now = 0; now < end; now += SECOND / 2) {
      assertThat(verdict(0, true, now)).isEmpty();
    }
  }
}
