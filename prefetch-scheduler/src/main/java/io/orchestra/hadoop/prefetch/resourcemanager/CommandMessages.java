package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.flow.Command;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.BlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CancelProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Commands as daemons read them. */
final class CommandMessages {
  private CommandMessages() {}

  /**
   * @param rate bytes per second
   * @param sources in the order in which they are tried
   * @param localPort that the copy is to come to, if whoever enforces rates must know it
   * @param nanosToDeadline negative if it has passed
   */
  static CommandProto.Builder start(
      Command.Start start,
      long rate,
      InputBlockProto block,
      String user,
      List<Daemon> sources,
      OptionalInt localPort,
      long nanosToDeadline) {
    StartProto.Builder message =
        StartProto.newBuilder()
            .setFlow(start.flow().id())
            .setBlock(
                BlockProto.newBuilder()
                    .setPool(block.getPool())
                    .setId(block.getId())
                    .setGenerationStamp(block.getGenerationStamp())
                    .setLength(block.getLength()))
            .setToken(block.getToken())
            .setUser(user)
            .setRate(rate)
            .setMillisToDeadline(millis(nanosToDeadline))
            .setConfirmed(start.confirmed())
            .setLaunched(start.launched());
    sources.forEach(source -> message.addSources(source(source)));
    localPort.ifPresent(message::setLocalPort);
    start.before().ifPresent(before -> message.setBefore(before.id()));
    return CommandProto.newBuilder().setStart(message);
  }

  private static SourceProto source(Daemon daemon) {
    return SourceProto.newBuilder()
        .setDatanodeUuid(daemon.uuid())
        .setHost(daemon.host())
        .setAddress(daemon.address())
        .setTransferPort(daemon.transferPort())
        .build();
  }

  /**
   * @param rate bytes per second
   * @param nanosToDeadline negative if it has passed
   */
  static CommandProto.Builder pace(Command.Pace pace, long rate, long nanosToDeadline) {
    return CommandProto.newBuilder()
        .setPace(
            PaceProto.newBuilder()
                .setFlow(pace.flow().id())
                .setRate(rate)
                .setMillisToDeadline(millis(nanosToDeadline))
                .setLaunched(pace.launched()));
  }

  private static long millis(long nanosToDeadline) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanosToDeadline));
  }

  static CommandProto.Builder cancel(long flow) {
    return CommandProto.newBuilder().setCancel(CancelProto.newBuilder().setFlow(flow));
  }
}
