package io.orchestra.hadoop.placement.datanode;

import com.google.common.annotations.VisibleForTesting;
import io.orchestra.hadoop.core.daemon.NameNodes;
import io.orchestra.hadoop.core.meter.RateMeter;
import io.orchestra.hadoop.core.meter.SysfsInterface;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataXceivers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the DataNode's link each time it runs and gives the report to the senders. Run by one
 * thread.
 *
 * <p>Without a usable interface it reports nothing, which makes the link count as full.
 */
final class LinkMeasurement implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LinkMeasurement.class);

  private final DataNode datanode;
  private final PlacementConfig config;
  private final ReportSenders senders;
  private final NameNodes namenodes;
  private final InboundBlocks inbound;

  // A later start has a larger sequence, so that the collector need not be told of a restart.
  private long sequence = System.currentTimeMillis();
  private Supplier<OptionalLong> linkCapacity = OptionalLong::empty;
  private Optional<RateMeter> meter = Optional.empty();
  private boolean failing;

  LinkMeasurement(DataNode datanode, PlacementConfig config, ReportSenders senders) {
    this.datanode = datanode;
    this.config = config;
    this.senders = senders;
    namenodes = new NameNodes(datanode::getConf);
    inbound =
        new InboundBlocks(
            () -> DataXceivers.names(datanode),
            (pool, block) -> DataXceivers.length(datanode, pool, block));
  }

  /** Begins with the interface anew after any trouble. */
  @Override
  public void run() {
    try {
      senders.retain(namenodes.addresses());
      // Before the first handshake the DataNode has no UUID.
      if (datanode.getDatanodeUuid() == null) {
        return;
      }
      if (meter.isEmpty()) {
        meter = Optional.of(open());
      }
      meter.get().sample().ifPresentOrElse(this::report, inbound::forget);
      failing = false;
    } catch (Throwable e) {
      if (!failing) {
        failing = true;
        LOG.warn(
            "This DataNode cannot measure its link and counts as fully loaded. Set {}interface if the wrong one"
                + " was chosen.",
            PlacementConfig.PREFIX,
            e);
      }
      meter = Optional.empty();
    }
  }

  private void report(RateMeter.Rates rates) {
    double seconds = rates.interval().toNanos() / 1e9;
    InboundBlocks.Inbound blocks =
        inbound.sample(rates.interval(), (long) (rates.received() * seconds));
    senders.send(
        new LinkReport(
            datanode.getDatanodeUuid(),
            sequence++,
            rates.interval(),
            rates.received(),
            rates.transmitted(),
            blocks.rate(),
            blocks.sources(),
            linkCapacity.get(),
            config.diskWriteCapacity().map(OptionalLong::of).orElse(OptionalLong.empty())));
  }

  private RateMeter open() throws IOException {
    SysfsInterface found =
        config.networkInterface().isPresent()
            ? SysfsInterface.named(config.networkInterface().get())
            : towards(namenodes.addresses());
    // A link may become another one: a bond loses a member.
    linkCapacity = () -> config.linkCapacity().map(OptionalLong::of).orElseGet(found::linkCapacity);
    OptionalLong capacity = linkCapacity.get();
    LOG.info(
        "Reporting the load of {}, capacity {}",
        found.name(),
        capacity.isPresent() ? capacity.getAsLong() * 8 / 1_000_000 + " Mbit/s" : "unknown");
    return new RateMeter(found);
  }

  /** The name of one NameNode may not be known now, or lead to this host. */
  @VisibleForTesting
  static SysfsInterface towards(Set<InetSocketAddress> addresses) throws IOException {
    IOException trouble = new IOException("no NameNode is configured");
    for (InetSocketAddress address : addresses) {
      try {
        return SysfsInterface.towards(address);
      } catch (IOException e) {
        trouble = e;
      }
    }
    throw trouble;
  }
}
