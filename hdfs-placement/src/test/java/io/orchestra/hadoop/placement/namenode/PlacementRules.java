package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeFixture;
import org.apache.hadoop.net.Node;

/** What HDFS promises of every placement, whoever chose. */
final class PlacementRules {
  private PlacementRules() {}

  static void verify(
      ClusterFixture cluster,
      int replicas,
      Set<Node> excluded,
      long blockSize,
      List<DatanodeDescriptor> chosen) {
    assertThat(chosen).as("no more than asked for").hasSizeLessThanOrEqualTo(replicas);
    assertThat(chosen).as("no node twice").doesNotHaveDuplicates();
    assertThat(chosen).as("nothing excluded").noneMatch(excluded::contains);
    assertThat(chosen)
        .as("space for the block")
        .allMatch(node -> DatanodeFixture.hasSpace(node, blockSize));
    int racks = cluster.topology.getNumOfRacks();
    if (racks > 1) {
      // getMaxNodesPerRack of the default policy.
      int nodes = Math.min(replicas, cluster.topology.getNumOfLeaves());
      int most = (nodes - 1) / racks + 2;
      int limit = nodes == 1 ? 1 : most == nodes ? most - 1 : most;
      Map<String, Long> perRack =
          chosen.stream()
              .map(DatanodeDescriptor::getNetworkLocation)
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      assertThat(perRack.values()).as("not too many on one rack").allMatch(count -> count <= limit);
    }
  }
}
