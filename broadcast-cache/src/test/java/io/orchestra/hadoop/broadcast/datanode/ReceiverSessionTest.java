package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.rpc.proto.PeerProtos.WishProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Since when a receiver has wanted nothing. It is left after a while, however alive it is. And what
 * is left of one that nothing is sent to.
 */
final class ReceiverSessionTest {
  private static final FileLayout TWO_PIECES =
      new FileLayout(List.of(new BlockKey("pool", 1, 1)), List.of(10L), 5);

  private final long before = System.nanoTime();
  private PlainConnection connection;
  private ReceiverSession session;
  private long begun;

  @BeforeEach
  void begin() throws IOException {
    connection = PlainConnection.open();
    // Nothing is sent: what is here of the file does not matter.
    session =
        new ReceiverSession(
            connection.streams(),
            TWO_PIECES,
            null,
            new HostShares(1).of("a host"),
            bytes -> {
              throw new AssertionError("sent");
            });
    begun = System.nanoTime() + 1;
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  @Test
  void whoSaysOnlyThatItIsThereWantsNothing() throws IOException {
    assertThat(session.hasWantedNothingSince(before)).as("it has just come").isFalse();

    says(WishProto.getDefaultInstance(), WishProto.newBuilder().addNeedless(1).build());

    assertThat(session.hasWantedNothingSince(begun)).isTrue();
  }

  @Test
  void whoAsksForAPieceHasWantedSomethingUntilThen() throws IOException {
    says(WishProto.newBuilder().addWanted(1).build());

    assertThat(session.hasWantedNothingSince(begun)).isFalse();
    assertThat(session.hasWantedNothingSince(System.nanoTime() + 1)).isTrue();
  }

  /** As when a receiver that stands still takes no bytes any more: it does not close. */
  @Test
  void nobodyWaitsForWishesOfOneThatIsSentNothingAnyMore()
      throws IOException, InterruptedException {
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> {
              try {
                session.readWishes();
              } catch (IOException e) {
                // That is an end, too.
              }
            });
    session.end();

    session.sendPieces();

    assertThat(reading).succeedsWithin(Duration.ofSeconds(20));
  }

  /** And then leaves. */
  private void says(WishProto... wishes) throws IOException {
    OutputStream out = connection.other().getOutputStream();
    for (WishProto wish : wishes) {
      wish.writeDelimitedTo(out);
    }
    connection.other().shutdownOutput();
    session.readWishes();
  }
}
