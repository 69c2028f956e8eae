package io.orchestra.hadoop.prefetch.rpc;

import com.google.common.primitives.Longs;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.PrefetchAgentService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * A port for application masters, who must show their token also where nobody else must: it alone
 * says whose job a report is about (as in ApplicationMasterService 189). Reports that wait for a
 * handler take a bounded part of the ResourceManager's memory.
 */
public final class AgentServer {
  /**
   * Bytes, a 128th of the heap, but 4 to 16 MB. The facts of {@link AgentProtocol#MOST_MAPS} maps
   * with three replicas are some 3 MB.
   */
  static final int LONGEST_REPORT =
      (int) Longs.constrainToRange(Runtime.getRuntime().maxMemory() / 128, 4 << 20, 16 << 20);

  /** Whoever finds no place waits in his connection, and loses nothing. */
  private static final int WAITING_PER_HANDLER = 2;

  private AgentServer() {}

  /**
   * @param bind where to listen; port 0 takes a free one
   * @param handlers threads that run {@code protocol}, which must be safe for them
   * @param tokens of application masters
   * @throws IOException if the address cannot be bound
   */
  public static ProtocolServer start(
      Configuration daemonConf,
      InetSocketAddress bind,
      int handlers,
      SecretManager<AMRMTokenIdentifier> tokens,
      AgentProtocol protocol)
      throws IOException {
    Configuration conf = new Configuration(daemonConf);
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, AuthMethod.TOKEN.toString());
    conf.setInt(CommonConfigurationKeys.IPC_SERVER_HANDLER_QUEUE_SIZE_KEY, WAITING_PER_HANDLER);
    return ProtocolServer.start(
        conf,
        bind,
        handlers,
        AgentProtocolPB.class,
        PrefetchAgentService.newReflectiveBlockingService(new Translator(protocol)),
        AgentProtocol.class,
        AgentProtocol.ACL_KEY,
        LONGEST_REPORT,
        tokens);
  }

  private record Translator(AgentProtocol protocol) implements AgentProtocolPB {
    @Override
    public JobReportResponseProto report(RpcController controller, JobReportProto request)
        throws ServiceException {
      try {
        return protocol.report(caller(), request);
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }

    private static ApplicationAttemptId caller() throws IOException {
      for (TokenIdentifier token : UserGroupInformation.getCurrentUser().getTokenIdentifiers()) {
        if (token instanceof AMRMTokenIdentifier master) {
          return master.getApplicationAttemptId();
        }
      }
      throw new AccessControlException("a report without the token of an application master");
    }
  }
}
