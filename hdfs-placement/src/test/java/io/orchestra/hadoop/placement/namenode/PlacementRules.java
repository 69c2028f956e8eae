package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeFixture;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/** What HDFS promises of every placement, whoever chose. */
final class PlacementRules {
  private PlacementRules() {}

  /**
   * @param there replicas before the choice
   * @param excluded by the client
   */
  static void verify(
      ClusterFixture cluster,
      int replicas,
      List<DatanodeStorageInfo> there,
      Set<Node> excluded,
      List<DatanodeDescriptor> chosen) {
    List<DatanodeDescriptor> all = new ArrayList<>(chosen);
    there.forEach(storage -> all.add(storage.getDatanodeDescriptor()));
    assertThat(chosen).as("no more than asked for").hasSizeLessThanOrEqualTo(replicas);
    assertThat(all).as("no node twice").doesNotHaveDuplicates();
    // When racks are uneven HDFS's rack fault tolerant policy forgets what the client excluded
    // (chooseEvenlyFromRemainingRacks).
    if (cluster.kind != PolicyKind.RACK_FAULT_TOLERANT) {
      assertThat(chosen).as("nothing excluded").noneMatch(excluded::contains);
    }
    assertThat(chosen)
        .as("space for the block")
        .allMatch(node -> DatanodeFixture.hasSpace(node, ClusterFixture.BLOCK));
    int racks = cluster.topology.getNumOfNonEmptyRacks();
    // The rack fault tolerant policy exceeds its limit rather than place too few; that of node
    // groups counts node groups as racks.
    boolean limited =
        cluster.kind == PolicyKind.DEFAULT || cluster.kind == PolicyKind.UPGRADE_DOMAIN;
    if (racks > 1 && limited) {
      // getMaxNodesPerRack of the default policy.
      int nodes = Math.min(replicas + there.size(), cluster.topology.getNumOfLeaves());
      int most = (nodes - 1) / racks + 2;
      int limit = nodes == 1 ? 1 : most == nodes ? most - 1 : most;
      Map<String, Long> perRack =
          all.stream()
              .map(DatanodeDescriptor::getNetworkLocation)
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      assertThat(perRack.values()).as("not too many on one rack").allMatch(count -> count <= limit);
    }
  }
}
