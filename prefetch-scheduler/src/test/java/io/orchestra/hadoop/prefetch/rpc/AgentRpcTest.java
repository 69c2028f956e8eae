package io.orchestra.hadoop.prefetch.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.MapFactsProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AgentRpcTest {
  private static final ApplicationAttemptId MASTER =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 7), 1);
  private static final JobReportProto REPORT =
      JobReportProto.newBuilder()
          .addFacts(
              MapFactsProto.newBuilder()
                  .setTask(3)
                  .addHosts("host3")
                  .addRacks("/rack1")
                  .setInput(64 << 20))
          .build();

  private final Configuration conf = new Configuration();
  private final Tokens tokens = new Tokens("secret");
  private final List<String> received = new ArrayList<>();
  private ProtocolServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        AgentServer.start(
            conf,
            new InetSocketAddress("127.0.0.1", 0),
            1,
            tokens,
            (caller, report) -> {
              received.add(caller + " " + report.getFacts(0).getHosts(0));
              return JobReportResponseProto.newBuilder()
                  .setEpoch(5)
                  .setMillisToNext(500)
                  .setPrompt(false)
                  .build();
            });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aReportArrivesInTheNameOfTheTokensApplication() throws IOException {
    try (AgentClient client = client(userWith(tokens))) {
      assertThat(client.report(REPORT).getEpoch()).isEqualTo(5);
    }

    assertThat(received).containsExactly(MASTER + " host3");
  }

  @Test
  void withoutATokenNobodyIsHeard() throws IOException {
    try (AgentClient client = client(UserGroupInformation.createRemoteUser("anybody"))) {
      assertThatThrownBy(() -> client.report(REPORT)).isInstanceOf(IOException.class);
    }

    assertThat(received).isEmpty();
  }

  @Test
  void aForgedTokenIsRefused() throws IOException {
    try (AgentClient client = client(userWith(new Tokens("another secret")))) {
      assertThatThrownBy(() -> client.report(REPORT)).isInstanceOf(IOException.class);
    }

    assertThat(received).isEmpty();
  }

  @Test
  void garbageOnThePortHarmsNobody() throws IOException {
    Garbage.send(server.port());
    assertThat(received).isEmpty();

    try (AgentClient client = client(userWith(tokens))) {
      assertThat(client.report(REPORT).getMillisToNext()).isEqualTo(500);
    }
  }

  @Test
  void aReportThatIsTooLongIsNotEvenRead() throws IOException {
    JobReportProto endless =
        JobReportProto.newBuilder()
            .addFacts(
                MapFactsProto.newBuilder()
                    .setTask(0)
                    .addHosts("h".repeat(AgentServer.LONGEST_REPORT))
                    .setInput(1))
            .build();
    try (AgentClient client = client(userWith(tokens))) {
      assertThatThrownBy(() -> client.report(endless)).isInstanceOf(IOException.class);
    }

    assertThat(received).isEmpty();
  }

  @Test
  void whoIsNotOnTheListIsRefusedWhateverTokenHeHas() throws IOException {
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(AgentProtocol.ACL_KEY, "somebody else");
    server.close();
    start();

    try (AgentClient client = client(userWith(tokens))) {
      assertThatThrownBy(() -> client.report(REPORT))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not authorized");
    }
  }

  private AgentClient client(UserGroupInformation user) throws IOException {
    return new AgentClient(
        conf, user, new InetSocketAddress("127.0.0.1", server.port()), Duration.ofMinutes(1));
  }

  /** The token's service is another port's, as in an application master. */
  private static UserGroupInformation userWith(Tokens tokens) {
    AMRMTokenIdentifier identifier = new AMRMTokenIdentifier(MASTER, 1);
    Token<AMRMTokenIdentifier> token =
        new Token<>(
            identifier.getBytes(),
            tokens.retrievePassword(identifier),
            identifier.getKind(),
            new Text("resourcemanager:8030"));
    UserGroupInformation user = UserGroupInformation.createRemoteUser("user");
    user.addToken(token);
    return user;
  }

  /** All have the same key. */
  private static final class Tokens extends SecretManager<AMRMTokenIdentifier> {
    private final String key;

    private Tokens(String key) {
      this.key = key;
    }

    @Override
    protected byte[] createPassword(AMRMTokenIdentifier identifier) {
      return retrievePassword(identifier);
    }

    @Override
    public byte[] retrievePassword(AMRMTokenIdentifier identifier) {
      return createPassword(
          identifier.getBytes(), createSecretKey(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public AMRMTokenIdentifier createIdentifier() {
      return new AMRMTokenIdentifier();
    }
  }
}
