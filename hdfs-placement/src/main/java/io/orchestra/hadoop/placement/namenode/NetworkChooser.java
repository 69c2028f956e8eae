package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.placement.algorithm.LinkSnapshot;
import io.orchestra.hadoop.placement.algorithm.Placement;
import io.orchestra.hadoop.placement.algorithm.Scope;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy.NotEnoughReplicasException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementSteps;
import org.apache.hadoop.net.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the place of {@code BlockPlacementPolicyDefault.chooseRandom}: same arguments, same
 * results, same conditions on a DataNode, but the best candidate instead of a random one.
 *
 * <p>Whatever it cannot decide it hands to HDFS with the arguments unchanged: its own rejects are
 * never excluded, so HDFS then chooses as if this class were not there. Never blocks. Safe for
 * concurrent use.
 */
public final class NetworkChooser {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkChooser.class);

  /**
   * After so many nodes that pass all conditions but have no storage for the block, HDFS's own
   * search does as well.
   */
  private static final int MOST_REFUSALS = 16;

  /** HDFS's own way of choosing {@code count} more replicas with the same arguments. */
  @FunctionalInterface
  public interface StockChoice {
    DatanodeStorageInfo choose(int count) throws NotEnoughReplicasException;
  }

  /**
   * What HDFS asks for.
   *
   * @param scope a network location; with {@code ~} in front, everything but it
   * @param excludedNodes gets the chosen nodes added
   * @param blockSize bytes: the file's preferred block size, or, where HDFS replicates, the block's
   *     own length; negative if unknown
   * @param results gets the chosen storages appended
   * @param storageTypes how many of each are needed, in order of preference; gets lowered
   */
  public record Request(
      int replicas,
      String scope,
      Set<Node> excludedNodes,
      long blockSize,
      int maxNodesPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes,
      EnumMap<StorageType, Integer> storageTypes) {}

  /**
   * A replica that was placed here.
   *
   * @param links that count it
   * @param load what it counts as
   */
  record Placed(DatanodeDescriptor node, LinkSnapshot links, Placement load) {}

  private final BlockPlacementPolicyDefault policy;
  private final PlacementState state;
  private final FailureLog failures = new FailureLog(LOG);
  private final AtomicBoolean toldOfNoSnapshot = new AtomicBoolean();

  NetworkChooser(BlockPlacementPolicyDefault policy, PlacementState state) {
    this.policy = policy;
    this.state = state;
  }

  /**
   * @param placedHere told of each replica that is placed here, and of none that HDFS places
   * @return the first storage chosen
   * @throws NotEnoughReplicasException if HDFS, asked for what was left, found too few
   */
  DatanodeStorageInfo choose(Request request, StockChoice stock, Consumer<Placed> placedHere)
      throws NotEnoughReplicasException {
    // HDFS keeps notes on refused nodes in a thread local, which its chooseRandom clears.
    DatanodeStorageInfo first = stock.choose(0);
    for (int chosen = 0; chosen < request.replicas(); chosen++) {
      DatanodeStorageInfo storage = chooseOne(request, request.replicas() - chosen, placedHere);
      if (storage == null) {
        DatanodeStorageInfo rest = stock.choose(request.replicas() - chosen);
        return first == null ? rest : first;
      }
      first = first == null ? storage : first;
    }
    return first;
  }

  /**
   * @param left replicas that HDFS will choose if this one is not found here
   * @return null to leave the rest to HDFS
   */
  private DatanodeStorageInfo chooseOne(Request request, int left, Consumer<Placed> placedHere) {
    Outcome outcome = Outcome.FAILURE;
    try {
      Optional<PublishedSnapshot> recent = state.snapshot().filter(PublishedSnapshot::isRecent);
      outcome = usability(request, recent);
      if (outcome == Outcome.NETWORK) {
        PublishedSnapshot snapshot = recent.orElseThrow();
        Optional<Scope> scope = scope(request.scope(), snapshot.links().tree());
        if (scope.isEmpty()) {
          outcome = Outcome.UNKNOWN_SCOPE;
        } else {
          DatanodeStorageInfo storage = search(request, snapshot, scope.get(), placedHere);
          if (storage != null) {
            return storage;
          }
          outcome = Outcome.NO_CANDIDATE;
        }
      }
    } catch (Throwable e) {
      outcome = Outcome.FAILURE;
      failures.failed("Network-aware placement failed; HDFS places this replica", e);
    }
    state.count(outcome, left);
    if (outcome == Outcome.NO_SNAPSHOT && toldOfNoSnapshot.compareAndSet(false, true)) {
      LOG.info(
          "No recent loads of the links, so HDFS places replicas. If this stays so: is LinkCollector among"
              + " dfs.namenode.plugins, and does the log say why it is off?");
    }
    return null;
  }

  private static Outcome usability(Request request, Optional<PublishedSnapshot> recent) {
    if (recent.isEmpty()) {
      return Outcome.NO_SNAPSHOT;
    }
    if (request.blockSize() < recent.get().config().minBlockSize()) {
      return Outcome.SMALL_BLOCK;
    }
    return recent.get().isCovered() ? Outcome.NETWORK : Outcome.LOW_COVERAGE;
  }

  private static Optional<Scope> scope(String scope, NetworkTree tree) {
    boolean outside = scope.startsWith("~");
    OptionalInt node = tree.findSwitch(outside ? scope.substring(1) : scope);
    return node.isPresent() ? Optional.of(new Scope(node.getAsInt(), outside)) : Optional.empty();
  }

  private DatanodeStorageInfo search(
      Request request, PublishedSnapshot snapshot, Scope scope, Consumer<Placed> placedHere) {
    for (StorageType type : request.storageTypes().keySet()) {
      BitSet refused = new BitSet();
      while (refused.cardinality() < MOST_REFUSALS) {
        int host =
            snapshot
                .links()
                .best(
                    scope,
                    candidate -> isCandidate(request, snapshot, candidate, type, refused),
                    ThreadLocalRandom.current());
        if (host < 0) {
          break;
        }
        DatanodeDescriptor node = snapshot.datanode(host);
        DatanodeStorageInfo storage =
            PlacementSteps.takeStorage(policy, node, request.blockSize(), request.results(), type);
        if (storage != null) {
          exclude(request, node);
          // INVARIANT: the storage is among the results, so it must be returned whatever happens
          // now.
          request.storageTypes().computeIfPresent(type, (key, left) -> left == 1 ? null : left - 1);
          remember(request, snapshot, scope, host, placedHere);
          return storage;
        }
        refused.set(host);
      }
    }
    return null;
  }

  /** If it fails HDFS chooses another one in the place of the node, which was chosen last. */
  private void exclude(Request request, DatanodeDescriptor node) {
    try {
      PlacementSteps.exclude(policy, node, request.excludedNodes());
    } catch (Throwable e) {
      request.results().remove(request.results().size() - 1);
      request.excludedNodes().remove(node);
      throw e;
    }
  }

  /** All conditions but the storage's own; cheap ones first. */
  private boolean isCandidate(
      Request request, PublishedSnapshot snapshot, int host, StorageType type, BitSet refused) {
    DatanodeDescriptor node = snapshot.datanode(host);
    return snapshot.largestRemaining(host, type) >= request.blockSize()
        && !refused.get(host)
        && !request.excludedNodes().contains(node)
        && isWhereItWas(snapshot.links().tree(), host, node)
        && PlacementSteps.isGood(
            policy, node, request.maxNodesPerRack(), request.results(), request.avoidStaleNodes());
  }

  /**
   * A DataNode that registered anew may be in another rack, and its snapshot's scope then means
   * nothing.
   */
  private static boolean isWhereItWas(NetworkTree tree, int host, DatanodeDescriptor node) {
    String location = node.getNetworkLocation();
    return tree.name(tree.parent(host)).equals(location.isEmpty() ? "/" : location);
  }

  private void remember(
      Request request,
      PublishedSnapshot snapshot,
      Scope scope,
      int host,
      Consumer<Placed> placedHere) {
    try {
      DatanodeDescriptor node = snapshot.datanode(host);
      LinkSnapshot links = snapshot.links();
      Placement load = links.place(host, scope, request.blockSize(), System.nanoTime());
      placedHere.accept(new Placed(node, links, load));
    } catch (Throwable e) {
      failures.failed("A placed replica was not counted", e);
    }
  }
}
