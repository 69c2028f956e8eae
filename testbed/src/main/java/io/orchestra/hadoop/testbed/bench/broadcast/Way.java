package io.orchestra.hadoop.testbed.bench.broadcast;

import java.util.List;
import java.util.Optional;

/** How a file gets from the hosts that have it to the others, in one arm. */
enum Way {
  STOCK("stock, R = 3", 3),
  /** What a job's files have unless somebody changes mapreduce.client.submit.file.replication. */
  STOCK_DEFAULT("stock, R = 10", 10),
  CHAIN("chain", 3, "overlay=chain", "topology=flat", "order=shortest"),
  TREE("tree", 3, "overlay=tree", "topology=flat", "order=shortest"),
  /** The paper's first one. */
  CORNET("Cornet", 3, "overlay=swarm", "topology=flat", "order=shortest"),
  /** The plugin as it comes. */
  CORNET_TOPOLOGY("Cornet with topology", 3, "overlay=swarm", "topology=racks", "order=shortest"),
  /** The plugin as it comes, and all else as it was. */
  CORNET_DEFAULT(
      "Cornet with topology, R = 10", 10, "overlay=swarm", "topology=racks", "order=shortest"),
  /** As it comes, but files share links. */
  CORNET_TOGETHER(
      "Cornet with topology, files together",
      3,
      "overlay=swarm",
      "topology=racks",
      "order=together"),
  /** CornetClustering. */
  CORNET_INFERRED(
      "Cornet with inferred topology", 3, "overlay=swarm", "topology=inferred", "order=shortest"),
  BITTORRENT("BitTorrent", 3),
  /** Nobody moves anything. */
  BOUND("bound", 0);

  private final String title;
  private final int replicas;
  private final List<String> liveSettings;

  Way(String title, int replicas, String... liveSettings) {
    this.title = title;
    this.replicas = replicas;
    this.liveSettings = List.of(liveSettings);
  }

  String title() {
    return title;
  }

  /** On how many hosts the file is before. */
  int replicas() {
    return replicas;
  }

  boolean isOurs() {
    return !liveSettings.isEmpty();
  }

  /** As {@code dfsadmin -refresh} takes them; none for ways without our plugin. */
  List<String> liveSettings() {
    return liveSettings;
  }

  /** Why none of its links need be busy, unless one must. */
  Optional<String> whyNoBusyLink() {
    return switch (this) {
      case BITTORRENT -> Optional.of("how well it uses the network is what is compared");
      case BOUND -> Optional.of("it is computed");
      default -> Optional.empty();
    };
  }

  /**
   * About how long the last receiver takes, in times of what one link needs for the file. Used to
   * tell how long a run takes, and for nothing else.
   */
  double expected(int receivers) {
    return switch (this) {
      case STOCK, STOCK_DEFAULT -> Math.max(1, 1.6 * receivers / replicas);
      case CHAIN, CORNET, CORNET_TOPOLOGY, CORNET_TOGETHER, CORNET_DEFAULT, CORNET_INFERRED -> 1.2;
      case TREE -> Math.min(receivers, 2) * 1.1;
      case BITTORRENT -> 2.5;
      case BOUND -> 0;
    };
  }
}
