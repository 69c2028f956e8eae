package io.orchestra.hadoop.broadcast.rpc;

import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmTrackerService;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/** {@link SwarmTrackerProtocol} as Hadoop's RPC engine sees it. Not called directly. */
@KerberosInfo(
    serverPrincipal = SwarmTrackerProtocol.SERVER_PRINCIPAL_KEY,
    clientPrincipal = SwarmTrackerProtocol.CLIENT_PRINCIPAL_KEY)
@ProtocolInfo(
    protocolName = "io.orchestra.hadoop.broadcast.rpc.SwarmTrackerProtocol",
    protocolVersion = 1)
public interface SwarmTrackerProtocolPB extends SwarmTrackerService.BlockingInterface {}
