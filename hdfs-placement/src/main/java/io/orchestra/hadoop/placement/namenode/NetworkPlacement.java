package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.PlacementConfig.Spread;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementSteps;
import org.apache.hadoop.net.Node;

/**
 * What each policy of ours adds to the policy of HDFS that it extends. One for each policy object.
 *
 * <p>Has no settings of its own: those in force come with the collector's snapshots, and without
 * snapshots the policy is HDFS's. A policy that never chooses, as in the Balancer, Mover and fsck,
 * never creates anything here. Safe for concurrent use.
 */
public final class NetworkPlacement {
  private final BlockPlacementPolicyDefault policy;
  private final ThreadLocal<Boolean> choosingAgain = ThreadLocal.withInitial(() -> false);

  /** Made at the first choice: when the policy is constructed it knows no cluster yet. */
  private volatile NetworkChooser chooser;

  public NetworkPlacement(BlockPlacementPolicyDefault policy) {
    this.policy = policy;
  }

  /**
   * Makes HDFS's choice of several replicas. If it is for a client that could not use DataNodes it
   * was given before, HDFS makes it alone: links say nothing about why, and a second well-founded
   * choice may be as wrong as the first.
   *
   * @param returnChosenNodes true for the replacement of a DataNode in a broken pipeline
   *     (FSNamesystem.getAdditionalDatanode)
   * @param excludedNodes for a client's new block, those it could not use; otherwise those that
   *     have the block
   * @param flags those of a client's new block; null for all other choices
   */
  public DatanodeStorageInfo[] chooseTarget(
      boolean returnChosenNodes,
      Set<Node> excludedNodes,
      EnumSet<AddBlockFlag> flags,
      Supplier<DatanodeStorageInfo[]> stock) {
    boolean again =
        returnChosenNodes || flags != null && excludedNodes != null && !excludedNodes.isEmpty();
    if (!again) {
      return stock.get();
    }
    choosingAgain.set(true);
    try {
      return stock.get();
    } finally {
      choosingAgain.remove();
    }
  }

  /** Takes the place of the inherited {@code chooseRandom}; {@code stock} is that method. */
  public DatanodeStorageInfo chooseRandom(
      NetworkChooser.Request request, NetworkChooser.StockChoice stock)
      throws NotEnoughReplicasException {
    if (choosingAgain.get()) {
      state().count(Outcome.CHOSEN_AGAIN, request.replicas());
      return stock.choose(request.replicas());
    }
    return chooser().choose(request, stock);
  }

  /** How blocks are spread over racks now: as HDFS does unless the network decides. */
  public Spread spread(long blockSize) {
    return choosingAgain.get()
        ? Spread.HDFS
        : state()
            .snapshot()
            .filter(snapshot -> snapshot.isRecent() && snapshot.isCovered())
            .map(PublishedSnapshot::config)
            .filter(config -> blockSize >= config.minBlockSize())
            .map(PlacementConfig::spread)
            .orElse(Spread.HDFS);
  }

  private NetworkChooser chooser() {
    // Threads that meet here make equal ones.
    if (chooser == null) {
      chooser = new NetworkChooser(policy, state());
    }
    return chooser;
  }

  private PlacementState state() {
    return PlacementState.of(PlacementSteps.clusterMap(policy));
  }
}
