package io.orchestra.hadoop.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LinkReportRpcTest {
  private static final LinkReport REPORT =
      new LinkReport(
          "uuid-1",
          42,
          Duration.ofMillis(1000),
          7_000_000_000L,
          3,
          5_000_000_000L,
          List.of("10.0.0.7", "10.0.0.8"),
          OptionalLong.of(125_000_000),
          OptionalLong.empty());

  /** Of a connection of Hadoop's RPC, before the length of the first message. */
  private static final byte[] BEGINNING = {'h', 'r', 'p', 'c', 9, 0, 0};

  /** For a call that is answered, on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Of a server that is waiting for what was announced. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  private final List<LinkReport> received = new CopyOnWriteArrayList<>();
  private final List<String> senders = new CopyOnWriteArrayList<>();
  private final Configuration conf = new Configuration();
  private ProtocolServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aReportArrivesAsItWasSentAndWithItsSendersAddress() throws IOException {
    start();
    try (LinkReportClient client = client()) {
      assertThat(client.report(REPORT)).isTrue();
    }

    assertThat(received).containsExactly(REPORT);
    assertThat(senders).containsExactly("127.0.0.1");
  }

  @Test
  void aReportThatIsNotBelievedIsAnsweredSo() throws IOException {
    server =
        LinkReportServer.start(conf, new InetSocketAddress("127.0.0.1", 0), 1, report -> false);
    try (LinkReportClient client = client()) {
      assertThat(client.report(REPORT)).isFalse();
    }
  }

  /** Hadoop shares one client, with the first one's time limits, among equal socket factories. */
  @Test
  void timeLimitsAreNotSharedWithTheDaemon() {
    SocketFactory daemons = NetUtils.getDefaultSocketFactory(conf);

    assertThat(new PrivateSocketFactory(daemons))
        .isNotEqualTo(daemons)
        .isNotEqualTo(new PrivateSocketFactory(daemons));
  }

  @Test
  void anErrorOfTheCollectorReachesTheReporter() throws IOException {
    server =
        LinkReportServer.start(
            conf,
            new InetSocketAddress("127.0.0.1", 0),
            1,
            report -> {
              throw new IOException("no more");
            });
    try (LinkReportClient client = client()) {
      assertThatThrownBy(() -> client.report(REPORT)).hasMessageContaining("no more");
    }
  }

  @Test
  void aCollectorThatIsNotThereFailsTheCallAndMayAppearLater() throws IOException {
    try (Socket taken = new Socket()) {
      // Servers set this, too, and get a port that is taken so; nobody else does.
      taken.setReuseAddress(true);
      taken.bind(new InetSocketAddress(0));
      InetSocketAddress collector = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
      try (LinkReportClient client = new LinkReportClient(conf, collector, LONG)) {
        assertThatThrownBy(() -> client.report(REPORT)).isInstanceOf(IOException.class);

        server = LinkReportServer.start(conf, collector, 1, received::add);
        assertThat(client.report(REPORT)).isTrue();
        assertThat(received).containsExactly(REPORT);
      }
    }
  }

  @Test
  void aServerThatNeverAnswersFailsTheCall() throws IOException {
    try (java.net.ServerSocket silent = new java.net.ServerSocket(0);
        LinkReportClient client =
            new LinkReportClient(
                conf,
                new InetSocketAddress("127.0.0.1", silent.getLocalPort()),
                Duration.ofMillis(200))) {
      assertThatThrownBy(() -> client.report(REPORT)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void garbageOnThePortIsSurvived() throws IOException {
    start();
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(new byte[4096]);
    } catch (SocketException closedByTheServer) {
      assertThat(closedByTheServer).isNotNull();
    }
    try (LinkReportClient client = client()) {
      assertThat(client.report(REPORT)).isTrue();
    }

    assertThat(received).containsExactly(REPORT);
  }

  @Test
  void theLongestReportArrives() throws IOException {
    LinkReport longest =
        new LinkReport(
            "uuid-1",
            42,
            Duration.ofMillis(1000),
            1,
            1,
            1,
            Collections.nCopies(
                LinkReportProtocol.MOST_SOURCES, "a".repeat(LinkReportProtocol.LONGEST_SOURCE)),
            OptionalLong.of(125_000_000),
            OptionalLong.of(125_000_000));
    start();
    try (LinkReportClient client =
        new LinkReportClient(conf, new InetSocketAddress("127.0.0.1", server.port()), LONG)) {
      assertThat(client.report(longest)).isTrue();
    }

    assertThat(received).containsExactly(longest);
  }

  @Test
  void whoAnnouncesALongerOneIsLeftAtOnce() throws IOException {
    start();
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout((int) LONGEST_SILENCE.toMillis());
      ByteBuffer beginning = ByteBuffer.allocate(BEGINNING.length + Integer.BYTES);
      beginning.put(BEGINNING).putInt(LinkReportServer.LONGEST_REPORT + 1);
      socket.getOutputStream().write(beginning.array());

      assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
    }
  }

  @Test
  void theAccessControlListDecidesWhoMayReport() throws IOException {
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(LinkReportProtocol.ACL_KEY, "somebody-else");
    UserGroupInformation.setConfiguration(conf);
    start();
    try (LinkReportClient client = client()) {
      assertThatThrownBy(() -> client.report(REPORT)).hasMessageContaining("is not authorized");
    }

    assertThat(received).isEmpty();
  }

  private void start() throws IOException {
    server =
        LinkReportServer.start(
            conf,
            new InetSocketAddress("127.0.0.1", 0),
            1,
            report -> {
              senders.add(Server.getRemoteIp().getHostAddress());
              return received.add(report);
            });
  }

  private LinkReportClient client() throws IOException {
    return new LinkReportClient(conf, new InetSocketAddress("127.0.0.1", server.port()), LONG);
  }
}
