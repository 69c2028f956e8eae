package io.orchestra.hadoop.prefetch.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class DaemonRpcTest {
  private static final PollResponseProto ANSWER =
      PollResponseProto.newBuilder().setEpoch(7).build();

  private final Configuration conf = new Configuration();
  private final List<Consumer<PollResponseProto>> held = new CopyOnWriteArrayList<>();
  private final List<DaemonProtocol.Caller> callers = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ProtocolServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        DaemonServer.start(
            conf,
            new InetSocketAddress("127.0.0.1", 0),
            1,
            (caller, poll, later) -> {
              callers.add(caller);
              if (poll.getSelf().getHost().equals("stranger")) {
                throw new IOException("not you");
              }
              if (poll.getHold()) {
                held.add(later.get());
                return Optional.empty();
              }
              return Optional.of(ANSWER);
            });
  }

  @AfterEach
  void stop() {
    server.close();
    threads.shutdownNow();
  }

  @Test
  void callsThatAreHeldTakeNoThread()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    List<DaemonClient> clients = new ArrayList<>();
    List<Future<PollResponseProto>> answers = new ArrayList<>();
    for (int client = 0; client < 5; client++) {
      DaemonClient waiting = client();
      clients.add(waiting);
      answers.add(threads.submit(() -> waiting.poll(poll("host", true))));
    }
    await().until(() -> held.size() == 5);

    try (DaemonClient other = client()) {
      assertThat(other.poll(poll("host", false))).isEqualTo(ANSWER);
    }
    assertThat(answers).noneMatch(Future::isDone);
    held.forEach(later -> later.accept(ANSWER));
    for (Future<PollResponseProto> answer : answers) {
      assertThat(answer.get(2, TimeUnit.MINUTES)).isEqualTo(ANSWER);
    }
    clients.forEach(DaemonClient::close);
  }

  @Test
  void aThousandDaemonsWaitOnTheOneThread()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    // Over one connection, as connections cost this process more than the server.
    ExecutorService many =
        Executors.newCachedThreadPool(
            task -> {
              Thread daemon = new Thread(null, task, "daemon", 64 << 10);
              daemon.setDaemon(true);
              return daemon;
            });
    try (DaemonClient client = client()) {
      List<Future<PollResponseProto>> answers = new ArrayList<>();
      for (int daemon = 0; daemon < 1000; daemon++) {
        PollProto poll = poll("host" + daemon, true);
        answers.add(many.submit(() -> client.poll(poll)));
      }
      await().until(() -> held.size() == 1000);

      assertThat(client.poll(poll("host", false))).isEqualTo(ANSWER);
      held.forEach(later -> later.accept(ANSWER));
      for (Future<PollResponseProto> answer : answers) {
        assertThat(answer.get(2, TimeUnit.MINUTES)).isEqualTo(ANSWER);
      }
    } finally {
      many.shutdownNow();
    }
  }

  @Test
  void garbageOnThePortHarmsNobody() throws IOException {
    Garbage.send(server.port());

    try (DaemonClient client = client()) {
      assertThat(client.poll(poll("host", false))).isEqualTo(ANSWER);
    }
    assertThat(callers).hasSize(1);
  }

  @Test
  void whoAnnouncesALongerPollThanThereIsIsLeftAtOnce() throws IOException {
    byte[] hadoops = {'h', 'r', 'p', 'c', 9, 0, 0};
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(30_000);
      ByteBuffer beginning = ByteBuffer.allocate(hadoops.length + Integer.BYTES);
      beginning.put(hadoops).putInt(DaemonServer.LONGEST_POLL + 1);
      socket.getOutputStream().write(beginning.array());

      assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
    }
  }

  @Test
  void whoIsRefusedHearsWhyAndTheThreadServesTheNext() throws IOException {
    try (DaemonClient client = client()) {
      assertThatThrownBy(() -> client.poll(poll("stranger", true)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not you");
      assertThat(client.poll(poll("host", false))).isEqualTo(ANSWER);
    }
  }

  @Test
  void itIsKnownFromWhereACallComes() throws IOException {
    try (DaemonClient client = client()) {
      client.poll(poll("host", false));
    }

    assertThat(callers.get(0).address().isLoopbackAddress()).isTrue();
    assertThat(callers.get(0).principal()).isNotEmpty();
  }

  @Test
  void anAnswerToOneThatIsGoneHarmsNobody() throws IOException {
    DaemonClient gone = client();
    CompletableFuture<Void> unused =
        CompletableFuture.runAsync(
            () -> {
              try {
                gone.poll(poll("host", true));
              } catch (IOException e) {
                // It was closed.
              }
            },
            threads);
    await().until(() -> held.size() == 1);
    gone.close();
    held.get(0).accept(ANSWER);

    try (DaemonClient other = client()) {
      assertThat(other.poll(poll("host", false))).isEqualTo(ANSWER);
    }
  }

  private DaemonClient client() throws IOException {
    return new DaemonClient(
        conf, new InetSocketAddress("127.0.0.1", server.port()), Duration.ofMinutes(2));
  }

  private static PollProto poll(String host, boolean hold) {
    return PollProto.newBuilder()
        .setSelf(DaemonProto.newBuilder().setDatanodeUuid("uuid").setHost(host).setTransferPort(1))
        .setEpoch(0)
        .setDone(0)
        .setHold(hold)
        .build();
  }
}
