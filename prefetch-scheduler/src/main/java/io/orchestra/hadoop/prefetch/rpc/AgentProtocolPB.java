package io.orchestra.hadoop.prefetch.rpc;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.PrefetchAgentService;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.token.TokenInfo;

/** {@link AgentProtocol} as Hadoop's RPC engine sees it. Not called directly. */
@TokenInfo(AgentTokenSelector.class)
@ProtocolInfo(protocolName = "io.orchestra.hadoop.prefetch.rpc.AgentProtocol", protocolVersion = 1)
public interface AgentProtocolPB extends PrefetchAgentService.BlockingInterface {}
