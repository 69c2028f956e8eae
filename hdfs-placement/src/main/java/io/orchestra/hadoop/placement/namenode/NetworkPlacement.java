package io.orchestra.hadoop.placement.namenode;

import com.google.common.collect.Lists;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.PlacementConfig.Spread;
import io.orchestra.hadoop.placement.namenode.NetworkChooser.Placed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementSteps;
import org.apache.hadoop.net.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each policy of ours adds to the policy of HDFS that it extends. One for each policy object.
 *
 * <p>Has no settings of its own: those in force come with the collector's snapshots, and without
 * snapshots the policy is HDFS's. A policy that never chooses, as in the Balancer, Mover and fsck,
 * never creates anything here. Safe for concurrent use.
 */
public final class NetworkPlacement {
  /**
   * What HDFS is asked for: the arguments of its {@code chooseTarget}.
   *
   * @param chosen replicas that the block has
   * @param withChosen true for the replacement of a DataNode in a broken pipeline
   *     (FSNamesystem.getAdditionalDatanode)
   * @param excluded for a client's new block, those it could not use; otherwise those that have the
   *     block; may be null
   * @param flags those of a client's new block; null for all other choices
   * @param types of the storages that favored nodes leave of a client's new block; null for all
   *     other choices
   */
  public record Choice(
      int replicas,
      List<DatanodeStorageInfo> chosen,
      boolean withChosen,
      Set<Node> excluded,
      EnumSet<AddBlockFlag> flags,
      EnumMap<StorageType, Integer> types) {

    private Purpose purpose() {
      if (types != null) {
        // Favored nodes are excluded, too: nobody can tell whether the client could not use others.
        return Purpose.NEW_BLOCK;
      }
      boolean excludes = excluded != null && !excluded.isEmpty();
      if (withChosen || flags != null && excludes) {
        return Purpose.NEW_BLOCK_AGAIN;
      }
      if (flags != null) {
        return Purpose.NEW_BLOCK;
      }
      // One replica of a block whose replicas must all go looks the same, and is HDFS's choice too.
      return replicas > 1 || !chosen.isEmpty() ? Purpose.MORE_REPLICAS : Purpose.NO_REPLICA;
    }
  }

  private enum Purpose {
    /** A client's new block. */
    NEW_BLOCK,
    /** For a client that could not use DataNodes it was given before. */
    NEW_BLOCK_AGAIN,
    /** More replicas of a block that there is. */
    MORE_REPLICAS,
    /**
     * The DataNode that a client of WebHDFS is sent to (BlockManager.chooseTarget4WebHDFS): it may
     * never write, and one whose web port is dead would be named again and again.
     */
    NO_REPLICA
  }

  /** A choice that this thread is making, and what was placed by the network so far. */
  private record Making(Purpose purpose, List<Placed> byNetwork) {
    boolean isLeftToHdfs() {
      return purpose == Purpose.NEW_BLOCK_AGAIN || purpose == Purpose.NO_REPLICA;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(NetworkPlacement.class);

  private final BlockPlacementPolicyDefault policy;
  private final boolean ofStripes;
  private final FailureLog failures = new FailureLog(LOG);

  /**
   * Null where HDFS chooses without announcing it, in the node group of a favored node that cannot
   * be used, for a client's block. It keeps each.
   */
  private final ThreadLocal<Making> making = new ThreadLocal<>();

  /** Made at the first choice: when the policy is constructed it knows no cluster yet. */
  private volatile NetworkChooser chooser;

  private NetworkPlacement(BlockPlacementPolicyDefault policy, boolean ofStripes) {
    this.policy = policy;
    this.ofStripes = ofStripes;
  }

  /** Of a policy for replicated blocks, of which every chosen DataNode gets all bytes. */
  public static NetworkPlacement ofWholeBlocks(BlockPlacementPolicyDefault policy) {
    return new NetworkPlacement(policy, false);
  }

  /** Of a policy for erasure-coded blocks too: of short ones some DataNodes get nothing. */
  public static NetworkPlacement ofStripes(BlockPlacementPolicyDefault policy) {
    return new NetworkPlacement(policy, true);
  }

  /**
   * Makes HDFS's choice of several replicas. If it is for a client that could not use DataNodes it
   * was given before, HDFS makes it alone: links say nothing about why, and a second well-founded
   * choice may be as wrong as the first.
   */
  public DatanodeStorageInfo[] chooseTarget(Choice choice, Supplier<DatanodeStorageInfo[]> stock) {
    Making now = new Making(choice.purpose(), new ArrayList<>());
    making.set(now);
    DatanodeStorageInfo[] targets = DatanodeStorageInfo.EMPTY_ARRAY;
    try {
      targets = stock.get();
      return targets;
    } finally {
      making.remove();
      settle(targets, now);
    }
  }

  /**
   * HDFS may have thrown away what was placed first, or all, and then nobody writes it.
   *
   * @param targets that HDFS has chosen; none if it has failed
   */
  private void settle(DatanodeStorageInfo[] targets, Making made) {
    if (made.byNetwork().isEmpty()) {
      return;
    }
    try {
      Set<DatanodeDescriptor> written = new HashSet<>();
      for (DatanodeStorageInfo target : targets) {
        written.add(target.getDatanodeDescriptor());
      }
      // What was thrown away and placed again on the same DataNode is written once.
      for (Placed placed : Lists.reverse(made.byNetwork())) {
        if (written.remove(placed.node())) {
          keep(placed.node(), made.purpose());
        } else {
          state().takeBack(placed);
        }
      }
    } catch (Throwable e) {
      // INVARIANT: HDFS has chosen; what is noted of it must not fail the choice.
      failures.failed("Placed replicas may not be counted, or count as load in vain", e);
    }
  }

  /** A replica is going to be written that was placed here. */
  private void keep(DatanodeDescriptor node, Purpose purpose) {
    String uuid = node.getDatanodeUuid();
    long now = System.nanoTime();
    state().placed(uuid);
    if (purpose == Purpose.MORE_REPLICAS) {
      state().expectReplica(uuid, now);
    } else if (!ofStripes) {
      state().expectClient(uuid, now);
    }
  }

  /** Takes the place of the inherited {@code chooseRandom}; {@code stock} is that method. */
  public DatanodeStorageInfo chooseRandom(
      NetworkChooser.Request request, NetworkChooser.StockChoice stock)
      throws NotEnoughReplicasException {
    Making now = making.get();
    if (now != null && now.isLeftToHdfs()) {
      if (now.purpose() == Purpose.NEW_BLOCK_AGAIN) {
        state().count(Outcome.CHOSEN_AGAIN, request.replicas());
      }
      return stock.choose(request.replicas());
    }
    return chooser()
        .choose(
            request,
            stock,
            placed -> {
              if (now == null) {
                keep(placed.node(), Purpose.NEW_BLOCK);
              } else {
                now.byNetwork().add(placed);
              }
            });
  }

  /** How blocks are spread over racks now: as HDFS does unless the network decides. */
  public Spread spread(long blockSize) {
    Making now = making.get();
    return now != null && now.isLeftToHdfs()
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
