package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PrefetchDaemonService;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/** {@link DaemonProtocol} as Hadoop's RPC engine sees it. Not called directly. */
@KerberosInfo(
    serverPrincipal = DaemonProtocol.SERVER_PRINCIPAL_KEY,
    clientPrincipal = DaemonProtocol.CLIENT_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = "io.orchestra.hadoop.prefetch.rpc.DaemonProtocol", protocolVersion = 1)
public interface DaemonProtocolPB extends PrefetchDaemonService.BlockingInterface {}
