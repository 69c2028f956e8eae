package io.orchestra.hadoop.broadcast.rpc;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import java.io.IOException;
import org.apache.hadoop.security.KerberosInfo;

/**
 * A peer in a DataNode asks the tracker in a NameNode whom to ask for pieces, and tells it what it
 * has.
 *
 * <p>With Kerberos both sides log in as the daemons they live in; the access control list is
 * {@value #ACL_KEY} in {@code hadoop-policy.xml}.
 */
@KerberosInfo(
    serverPrincipal = SwarmTrackerProtocol.SERVER_PRINCIPAL_KEY,
    clientPrincipal = SwarmTrackerProtocol.CLIENT_PRINCIPAL_KEY)
public interface SwarmTrackerProtocol {
  String SERVER_PRINCIPAL_KEY = "dfs.namenode.kerberos.principal";
  String CLIENT_PRINCIPAL_KEY = "dfs.datanode.kerberos.principal";
  String ACL_KEY = "security.orchestra.swarm.tracker.protocol.acl";

  /** Somebody beside the peer wants to read a block. */
  JoinResponseProto join(JoinProto request) throws IOException;

  /** The peer is there, and has this. */
  AnnounceResponseProto announce(AnnounceProto request) throws IOException;
}
