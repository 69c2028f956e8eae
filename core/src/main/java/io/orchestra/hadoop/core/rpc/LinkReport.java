package io.orchestra.hadoop.core.rpc;

import io.orchestra.hadoop.core.rpc.proto.LinkReportProtos.LinkReportProto;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one DataNode measured on its network interface during one interval.
 *
 * @param datanodeUuid who measured
 * @param sequence grows by one with each report of one reporter; starts anew with the DataNode
 * @param interval what the rates are averages over
 * @param received bytes per second
 * @param transmitted bytes per second
 * @param blocksReceived the part of {@code received} that is HDFS blocks being written, bytes per
 *     second
 * @param blockSources the address that each of the blocks being received now comes from, one for
 *     each block
 * @param linkCapacity bytes per second; empty when unknown
 * @param diskCapacity bytes per second that the host's disks can write; empty when unknown
 */
public record LinkReport(
    String datanodeUuid,
    long sequence,
    Duration interval,
    long received,
    long transmitted,
    long blocksReceived,
    List<String> blockSources,
    OptionalLong linkCapacity,
    OptionalLong diskCapacity) {

  public LinkReport {
    blockSources = List.copyOf(blockSources);
  }

  LinkReportProto toProto() {
    LinkReportProto.Builder builder =
        LinkReportProto.newBuilder()
            .setDatanodeUuid(datanodeUuid)
            .setSequence(sequence)
            .setIntervalMillis(interval.toMillis())
            .setReceived(received)
            .setTransmitted(transmitted)
            .setBlocksReceived(blocksReceived)
            .addAllBlockSources(blockSources);
    linkCapacity.ifPresent(builder::setLinkCapacity);
    diskCapacity.ifPresent(builder::setDiskCapacity);
    return builder.build();
  }

  static LinkReport fromProto(LinkReportProto proto) {
    return new LinkReport(
        proto.getDatanodeUuid(),
        proto.getSequence(),
        Duration.ofMillis(proto.getIntervalMillis()),
        proto.getReceived(),
        proto.getTransmitted(),
        proto.getBlocksReceived(),
        List.copyOf(proto.getBlockSourcesList()),
        proto.hasLinkCapacity() ? OptionalLong.of(proto.getLinkCapacity()) : OptionalLong.empty(),
        proto.hasDiskCapacity() ? OptionalLong.of(proto.getDiskCapacity()) : OptionalLong.empty());
  }
}
