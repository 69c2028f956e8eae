package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Ordering;
import com.google.common.util.concurrent.RateLimiter;
import io.orchestra.hadoop.core.daemon.LogText;
import io.orchestra.hadoop.core.meter.LinkLoads;
import io.orchestra.hadoop.core.rpc.LinkReport;
import io.orchestra.hadoop.core.rpc.LinkReportProtocol;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes reports in, from DataNodes only: a report counts if it comes from the address under which
 * the DataNode it speaks for is registered with this NameNode. Safe for concurrent use, never
 * blocks.
 */
final class ReportIntake implements LinkReportProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(ReportIntake.class);

  /** What is assumed of a link whose capacity nobody knows: 1 Gbit/s. */
  private static final long ASSUMED_CAPACITY = 125_000_000;

  /**
   * What a DataNode said last, besides its load.
   *
   * @param blockSources address for each block it is receiving
   * @param link bytes per second; empty when unknown
   * @param disk bytes per second; empty when unknown
   */
  private record Statement(List<String> blockSources, OptionalLong link, OptionalLong disk) {}

  private final LinkLoads loads;
  private final Supplier<PlacementConfig> settings;
  private final Map<String, Statement> statements = new ConcurrentHashMap<>();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final RateLimiter rejectionsTold = RateLimiter.create(1.0 / 60);
  private final AtomicBoolean warnedOfUnknownCapacity = new AtomicBoolean();

  /** Registered address of each live DataNode, by its UUID. */
  private volatile ImmutableMap<String, String> members = ImmutableMap.of();

  ReportIntake(Supplier<PlacementConfig> settings, LongSupplier nanoClock) {
    this.settings = settings;
    loads =
        new LinkLoads(
            () -> settings.get().estimate(), () -> settings.get().reportTimeout(), nanoClock);
  }

  @Override
  public boolean report(LinkReport report) {
    InetAddress sender = Server.getRemoteIp();
    return accept(report, sender == null ? "" : sender.getHostAddress());
  }

  /**
   * Takes a report in, or drops and counts it.
   *
   * @return whether it was taken in
   */
  boolean accept(LinkReport report, String senderAddress) {
    Optional<String> fault = fault(report, senderAddress).or(() -> takeIn(report));
    if (fault.isPresent()) {
      rejected.increment();
      if (rejectionsTold.tryAcquire()) {
        LOG.info(
            "Dropped a link report of DataNode '{}' from {}: {} (told at most once a minute)",
            LogText.of(report.datanodeUuid()),
            senderAddress,
            fault.get());
      }
      return false;
    }
    accepted.increment();
    statements.put(
        report.datanodeUuid(),
        new Statement(report.blockSources(), report.linkCapacity(), report.diskCapacity()));
    if (report.linkCapacity().isEmpty() && warnedOfUnknownCapacity.compareAndSet(false, true)) {
      LOG.warn(
          "DataNode {} at {} does not know the capacity of its link, and others may not either: assuming 1 Gbit/s."
              + " Set {}link-capacity on the DataNodes.",
          report.datanodeUuid(),
          senderAddress,
          PlacementConfig.PREFIX);
    }
    return true;
  }

  /** Why the report is not to be believed; empty if it is. */
  private Optional<String> fault(LinkReport report, String senderAddress) {
    String registered = members.get(report.datanodeUuid());
    if (registered == null) {
      return Optional.of("no live DataNode has this UUID");
    }
    if (!senderAddress.equals(registered)) {
      return Optional.of("it is registered at " + registered);
    }
    if (report.received() < 0
        || report.transmitted() < 0
        || report.blocksReceived() < 0
        || report.interval().isNegative()) {
      return Optional.of("a rate or a time is negative");
    }
    if (report.blockSources().size() > LinkReportProtocol.MOST_SOURCES
        || report.blockSources().stream()
            .anyMatch(name -> name.length() > LinkReportProtocol.LONGEST_SOURCE)) {
      return Optional.of("it names more sources of blocks than there can be, or none that are");
    }
    if (!isSensible(report.linkCapacity()) || !isSensible(report.diskCapacity())) {
      return Optional.of(
          "the capacity of its link or disks is not between 1 and %d bytes per second"
              .formatted(PlacementConfig.LARGEST_CAPACITY));
    }
    return Optional.empty();
  }

  private static boolean isSensible(OptionalLong capacity) {
    return capacity.isEmpty()
        || capacity.getAsLong() > 0 && capacity.getAsLong() <= PlacementConfig.LARGEST_CAPACITY;
  }

  /** Takes the loads in; says why if it did not. */
  private Optional<String> takeIn(LinkReport report) {
    boolean isNew =
        loads.record(
            report.datanodeUuid(),
            new LinkLoads.Sample(
                report.sequence(),
                report.received(),
                Math.max(0, report.received() - report.blocksReceived()),
                Ordering.natural().min(report.interval(), settings.get().reportTimeout())));
    return isNew ? Optional.empty() : Optional.of("it is not newer than the last one");
  }

  /** Replaces the set of DataNodes that may report, and forgets the others. */
  void members(ImmutableMap<String, String> addressesByUuid) {
    members = addressesByUuid;
    statements.keySet().retainAll(addressesByUuid.keySet());
    loads.forgetSilent();
  }

  /**
   * @return empty if the DataNode has not reported of late
   */
  Optional<LinkLoads.Load> load(String datanodeUuid) {
    return loads.load(datanodeUuid);
  }

  /** The address that each block it is receiving comes from. */
  List<String> blockSources(String datanodeUuid) {
    Statement known = statements.get(datanodeUuid);
    return known == null ? List.of() : known.blockSources();
  }

  /** Bytes per second; assumed if unknown. */
  long linkCapacity(String datanodeUuid) {
    Statement known = statements.get(datanodeUuid);
    return known == null ? ASSUMED_CAPACITY : known.link().orElse(ASSUMED_CAPACITY);
  }

  /** Bytes per second; {@link Long#MAX_VALUE} if unknown. */
  long diskCapacity(String datanodeUuid) {
    Statement known = statements.get(datanodeUuid);
    return known == null ? Long.MAX_VALUE : known.disk().orElse(Long.MAX_VALUE);
  }

  long accepted() {
    return accepted.sum();
  }

  long rejected() {
    return rejected.sum();
  }
}
