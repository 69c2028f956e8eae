package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What the servlet tells. Rates are bytes per second.
 *
 * @param enabled whether snapshots are being published
 * @param coverage fraction of the live DataNodes that report
 * @param snapshotAgeMillis -1 without a snapshot
 * @param reportsAccepted since the NameNode started
 * @param reportsRejected since the NameNode started
 * @param picks replicas by outcome, since the NameNode started
 * @param outcomes what the outcomes mean
 * @param nodes every live DataNode
 * @param racks every switch's link from above
 */
public record PlacementReport(
    boolean enabled,
    double coverage,
    long snapshotAgeMillis,
    long reportsAccepted,
    long reportsRejected,
    Map<String, Long> picks,
    Map<String, String> outcomes,
    List<Node> nodes,
    List<Rack> racks) {

  /**
   * One DataNode and its link: how many replicas are being written to it over the link, and what
   * one more would get; {@code reportAgeMillis} is -1 if it does not report, {@code trusted} false
   * while it is not chosen because it took no data that was placed on it.
   */
  public record Node(
      String host,
      String location,
      boolean reporting,
      long reportAgeMillis,
      boolean trusted,
      long capacity,
      long received,
      int copies,
      long share,
      long picks) {}

  /** The link from above of one rack or higher switch. */
  public record Rack(String location, long capacity, long received, int copies, long share) {}

  static PlacementReport of(PlacementState state, ReportIntake intake) {
    Map<String, Long> picks = new LinkedHashMap<>();
    Map<String, String> meanings = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      picks.put(outcome.label(), state.total(outcome));
      meanings.put(outcome.label(), outcome.description());
    }
    PublishedSnapshot snapshot = state.snapshot().orElse(null);
    return new PlacementReport(
        snapshot != null,
        snapshot == null ? 0 : snapshot.coverage(),
        snapshot == null ? -1 : millisSince(snapshot.published()),
        intake.accepted(),
        intake.rejected(),
        picks,
        meanings,
        snapshot == null ? List.of() : nodes(snapshot, state, intake),
        snapshot == null ? List.of() : racks(snapshot.links()));
  }

  private static List<Node> nodes(
      PublishedSnapshot snapshot, PlacementState state, ReportIntake intake) {
    List<Node> nodes = new ArrayList<>();
    for (int host = 0; host < snapshot.size(); host++) {
      DatanodeDescriptor node = snapshot.datanode(host);
      LinkSnapshot links = snapshot.links();
      nodes.add(
          new Node(
              node.getHostName(),
              node.getNetworkLocation(),
              snapshot.isReporting(host),
              intake
                  .load(node.getDatanodeUuid())
                  .map(load -> millisSince(load.arrival()))
                  .orElse(-1L),
              state.unanswered().isTrusted(node.getDatanodeUuid(), System.nanoTime()),
              links.tree().capacity(host),
              links.received(host),
              links.copies(host),
              links.share(host),
              state.picks(node.getDatanodeUuid())));
    }
    return nodes;
  }

  private static List<Rack> racks(LinkSnapshot links) {
    NetworkTree tree = links.tree();
    List<Rack> racks = new ArrayList<>();
    for (int node = tree.hosts(); node < tree.core(); node++) {
      racks.add(
          new Rack(
              tree.name(node),
              tree.capacity(node),
              links.received(node),
              links.copies(node),
              links.share(node)));
    }
    return racks;
  }

  private static long millisSince(long nanoTime) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanoTime);
  }
}
