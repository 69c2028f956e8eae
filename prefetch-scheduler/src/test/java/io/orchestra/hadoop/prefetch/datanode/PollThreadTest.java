package io.orchestra.hadoop.prefetch.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PollThreadTest {
  private final BlockingQueue<InetSocketAddress> connected = new LinkedBlockingQueue<>();

  /** As many as tests look at: more come without a pause until a test ends. */
  private final BlockingQueue<PollResponseProto> answers = new ArrayBlockingQueue<>(3);

  private final PollThread.Talk talk =
      new PollThread.Talk() {
        @Override
        public PollProto next() {
          return PollProto.getDefaultInstance();
        }

        @Override
        public void answered(PollProto question, PollResponseProto answer) {
          boolean unused = answers.offer(answer);
        }
      };

  @Test
  void addressesAreResolvedWhenTheyAreConnectedTo() throws InterruptedException {
    PollThread thread = poll(List.of(InetSocketAddress.createUnresolved("localhost", 9)), 10);
    assertThat(connected.take()).isEqualTo(new InetSocketAddress("localhost", 9));
    thread.close();
  }

  @Test
  void allAreTriedUntilOneAnswersWhoIsAskedAgain() throws InterruptedException {
    PollThread thread =
        poll(
            List.of(new InetSocketAddress("localhost", 1), new InetSocketAddress("localhost", 2)),
            2);
    for (int answer = 0; answer < 3; answer++) {
      assertThat(answers.poll(50, TimeUnit.SECONDS)).isNotNull();
    }
    thread.close();
    assertThat(connected).extracting(InetSocketAddress::getPort).containsExactly(1, 2);
  }

  @Test
  void itPollsOnAlsoIfWhatIsDoneAboutAFailureFails() throws InterruptedException {
    AtomicInteger polls = new AtomicInteger();
    PollThread thread =
        new PollThread(
                "poll",
                List.of(new InetSocketAddress("localhost", 1)),
                address ->
                    new PollThread.Coordinator() {
                      @Override
                      public PollResponseProto poll(PollProto poll) {
                        if (polls.incrementAndGet() == 1) {
                          throw new Unspeakable();
                        }
                        return PollResponseProto.getDefaultInstance();
                      }

                      @Override
                      public void close() {
                        throw new StackOverflowError("made up");
                      }
                    },
                talk)
            .start();

    assertThat(answers.poll(50, TimeUnit.SECONDS)).isNotNull();
    thread.close();
  }

  /** Not even the log can tell of it. */
  private static final class Unspeakable extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      throw new OutOfMemoryError("made up");
    }
  }

  /**
   * @param answering the port of the only one that answers
   */
  private PollThread poll(List<InetSocketAddress> addresses, int answering) {
    return new PollThread(
            "poll",
            addresses,
            address -> {
              connected.add(address);
              return new PollThread.Coordinator() {
                @Override
                public PollResponseProto poll(PollProto poll) throws IOException {
                  if (address.getPort() != answering) {
                    throw new ConnectException(address.toString());
                  }
                  return PollResponseProto.getDefaultInstance();
                }

                @Override
                public void close() {}
              };
            },
            talk)
        .start();
  }
}
