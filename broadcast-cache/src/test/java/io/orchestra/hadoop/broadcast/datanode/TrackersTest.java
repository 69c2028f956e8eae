package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.base.Ticker;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerProtocol;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerServer;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TrackersTest {
  private static final BlockKey BLOCK = new BlockKey("pool", 1, 1);
  private static final JoinResponseProto STANDBY =
      JoinResponseProto.newBuilder()
          .setDeclined("the NameNode is not active")
          .setElsewhere(true)
          .setBystander(true)
          .build();
  private static final JoinResponseProto TOO_EARLY =
      JoinResponseProto.newBuilder().setDeclined("no peer has it").setElsewhere(true).build();
  private static final JoinResponseProto KNOWN =
      JoinResponseProto.newBuilder().setPath("/file").build();

  private static final JoinResponseProto BUSY =
      JoinResponseProto.newBuilder()
          .setDeclined("the NameNode does not answer")
          .setElsewhere(true)
          .setBusy(true)
          .build();

  private final Configuration conf = new Configuration();
  private final List<ProtocolServer> servers = new ArrayList<>();
  private final Set<InetSocketAddress> namenodes = new LinkedHashSet<>();

  /** Has the port as long as no tracker listens there. */
  private final Socket taken = new Socket();

  private int port;
  private long now;
  private Trackers trackers;

  @BeforeEach
  void start() throws Exception {
    // Servers set this, too, and get a port that is taken so; nobody else does.
    taken.setReuseAddress(true);
    taken.bind(new InetSocketAddress(0));
    port = taken.getLocalPort();
    conf.setInt("orchestra.broadcast.tracker.port", port);
    // The first call of a process takes long on a busy machine.
    conf.set("orchestra.broadcast.join-timeout", "10s");
    Ticker clock =
        new Ticker() {
          @Override
          public long read() {
            return now;
          }
        };
    trackers =
        new Trackers(() -> "a DataNode", conf, BroadcastConfig.from(conf), () -> 8121, clock);
  }

  @AfterEach
  void stop() throws IOException {
    trackers.close();
    servers.forEach(ProtocolServer::close);
    taken.close();
  }

  /** Each is asked after those before it. */
  private void trackersAnswer(JoinResponseProto... answers) throws IOException {
    for (JoinResponseProto answer : answers) {
      listen(new Tracker(answer));
    }
  }

  private void listen(Tracker tracker) throws IOException {
    // All of a cluster listen on the same port.
    InetSocketAddress address = new InetSocketAddress("127.0.0." + (namenodes.size() + 1), port);
    servers.add(SwarmTrackerServer.start(conf, address, 2, tracker));
    namenodes.add(address);
    trackers.retain(namenodes);
  }

  private static final class Tracker implements SwarmTrackerProtocol {
    private final AtomicInteger joins = new AtomicInteger();

    /** Null as long as its NameNode lets everybody wait. */
    private final AtomicReference<JoinResponseProto> answer = new AtomicReference<>();

    Tracker(JoinResponseProto answer) {
      this.answer.set(answer);
    }

    @Override
    public JoinResponseProto join(JoinProto request) {
      joins.incrementAndGet();
      await().atMost(Duration.ofMinutes(1)).until(() -> answer.get() != null);
      return answer.get();
    }

    @Override
    public AnnounceResponseProto announce(AnnounceProto request) {
      return AnnounceResponseProto.getDefaultInstance();
    }
  }

  private JoinResponseProto join() {
    return trackers.join(BLOCK);
  }

  private void announce() {
    assertThat(trackers.announce(List.of(), OptionalLong.empty())).isEmpty();
  }

  @Test
  void aTrackerThatLetsAReaderWaitIsAskedForNoOtherForAMinuteThoughItHearsAnnouncements()
      throws IOException {
    Tracker tracker = new Tracker(null);
    listen(tracker);
    assertThat(join().getDeclined()).isEqualTo("the tracker is slow");
    tracker.answer.set(KNOWN);
    announce();
    now += Duration.ofSeconds(59).toNanos();
    assertThat(join().getDeclined()).isEqualTo("the tracker is slow");
    assertThat(tracker.joins).hasValue(1);

    now += Duration.ofSeconds(2).toNanos();
    assertThat(join()).isEqualTo(KNOWN);
  }

  @Test
  void aTrackerWhoseNameNodeIsBusyIsAskedForFilesThatAreUnderWayAndWhenItAnswersForOthers()
      throws IOException {
    Tracker tracker = new Tracker(BUSY);
    listen(tracker);
    assertThat(join()).isEqualTo(BUSY);
    assertThat(join().getDeclined()).isEqualTo("the tracker is slow");
    assertThat(tracker.joins).hasValue(1);
    tracker.answer.set(KNOWN);
    announce();
    assertThat(trackers.joinAgain(BLOCK, List.of())).isEqualTo(KNOWN);
    assertThat(join()).isEqualTo(KNOWN);
  }

  @Test
  void whereTheActiveOneIsSlowThatIsTheReasonWhateverTheStandbySays() throws IOException {
    trackersAnswer(BUSY, STANDBY);
    assertThat(join()).isEqualTo(BUSY);
    assertThat(join().getDeclined()).isEqualTo("the tracker is slow");
  }

  @Test
  void theReasonIsTheActiveNameNodesAlsoIfTheStandbyIsAskedAfterIt() throws IOException {
    trackersAnswer(TOO_EARLY, STANDBY);
    assertThat(join()).isEqualTo(TOO_EARLY);
  }

  @Test
  void theReasonIsTheActiveNameNodesAlsoIfTheStandbyIsAskedBeforeIt() throws IOException {
    trackersAnswer(STANDBY, TOO_EARLY);
    assertThat(join()).isEqualTo(TOO_EARLY);
  }

  @Test
  void whereAllAreStandbyThatIsTheReason() throws IOException {
    trackersAnswer(STANDBY, STANDBY);
    assertThat(join()).isEqualTo(STANDBY);
  }

  @Test
  void whoKnowsTheBlockIsHeardWhateverOthersSay() throws IOException {
    trackersAnswer(STANDBY, TOO_EARLY, KNOWN);
    assertThat(join()).isEqualTo(KNOWN);
  }

  @Test
  void whereNobodyListensNoTrackerAnswers() throws IOException {
    namenodes.add(new InetSocketAddress("127.0.0.1", port));
    trackers.retain(namenodes);
    assertThat(join().getDeclined()).isEqualTo("no tracker answers");
    assertThat(join().getElsewhere()).isTrue();
  }
}
