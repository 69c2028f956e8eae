package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.security.KerberosInfo;

/**
 * A daemon in a DataNode tells the coordinator in the ResourceManager how its copies go, and is
 * told which to make.
 *
 * <p>With Kerberos both sides log in as the processes they live in. What they say includes block
 * tokens: {@code hadoop.rpc.protection} must be {@code privacy} then. The access control list is
 * {@value #ACL_KEY} in {@code hadoop-policy.xml}.
 */
@KerberosInfo(
    serverPrincipal = DaemonProtocol.SERVER_PRINCIPAL_KEY,
    clientPrincipal = DaemonProtocol.CLIENT_PRINCIPAL_KEY)
public interface DaemonProtocol {
  String SERVER_PRINCIPAL_KEY = "yarn.resourcemanager.principal";
  String CLIENT_PRINCIPAL_KEY = "dfs.datanode.kerberos.principal";
  String ACL_KEY = "security.orchestra.prefetch.daemon.protocol.acl";

  /** Who calls. */
  record Caller(String principal, InetAddress address) {}

  /**
   * @param later takes the response of a call that is held; asked for at most once
   * @return empty if the call is held
   * @throws IOException if the caller is not who it says it is
   */
  Optional<PollResponseProto> poll(
      Caller caller, PollProto poll, Supplier<Consumer<PollResponseProto>> later)
      throws IOException;
}
