package io.orchestra.hadoop.core.rpc;

import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportService;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/** {@link LinkReportProtocol} as Hadoop's RPC engine sees it. Not called directly. */
@KerberosInfo(
    serverPrincipal = LinkReportProtocol.SERVER_PRINCIPAL_KEY,
    clientPrincipal = LinkReportProtocol.CLIENT_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = "io.orchestra.hadoop.core.rpc.LinkReportProtocol", protocolVersion = 1)
public interface LinkReportProtocolPB extends LinkReportService.BlockingInterface {}
