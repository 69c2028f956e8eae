package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import java.io.IOException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * An application master tells the scheduler of its job's maps. It proves who it is with the token
 * it has for the ResourceManager; the access control list is {@value #ACL_KEY} in {@code
 * hadoop-policy.xml}.
 */
public interface AgentProtocol {
  /** Larger jobs are not reported, and run as ever. */
  int MOST_MAPS = 20_000;

  /** Hosts and racks of one map's input that are told. */
  int MOST_PLACES = 32;

  /** Replicas of one block that are told. */
  int MOST_REPLICAS = 16;

  String ACL_KEY = "security.orchestra.prefetch.agent.protocol.acl";

  /**
   * @param caller whose token it was
   * @throws IOException if the report is not taken
   */
  JobReportResponseProto report(ApplicationAttemptId caller, JobReportProto report)
      throws IOException;
}
