package io.orchestra.hadoop.testbed.bench.placement;

import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import java.util.List;

/** Who places replicas, in one arm. */
enum Policy {
  DEFAULT("default", Policy.STOCK + "BlockPlacementPolicyDefault"),
  AVAILABLE_SPACE("available space", Policy.STOCK + "AvailableSpaceBlockPlacementPolicy"),
  SINBAD("Sinbad", Policy.OURS),
  /** Differs from Sinbad in three settings at once. */
  LITERAL("Sinbad literal", Policy.OURS, "algorithm=paper", "spread=paper", "smoothing=0.2"),
  /** The same chooser as Sinbad, told the background traffic that is going to arrive. */
  ORACLE("oracle", Policy.OURS, "smoothing=1"),
  /** Stock HDFS without the busy DataNodes and without background traffic: a reference. */
  BUSY_ABSENT("busy nodes absent", Policy.STOCK + "BlockPlacementPolicyDefault");

  private static final String STOCK = "org.apache.hadoop.hdfs.server.blockmanagement.";
  private static final String OURS = "io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy";

  private final String title;
  private final String className;
  private final List<String> liveSettings;

  Policy(String title, String className, String... liveSettings) {
    this.title = title;
    this.className = className;
    this.liveSettings = List.of(liveSettings);
  }

  String title() {
    return title;
  }

  boolean isOurs() {
    return className.equals(OURS);
  }

  /** Whether busy links get fewer replicas, or there are none. */
  boolean seesBusyLinks() {
    return isOurs() || this == BUSY_ABSENT;
  }

  Setting setting() {
    return new Setting(Site.HDFS, "dfs.block.replicator.classname", className);
  }

  /** As {@code dfsadmin -refresh} takes them; what others have changed goes back to its default. */
  List<String> liveSettings() {
    return List.of(liveSetting("algorithm"), liveSetting("spread"), liveSetting("smoothing"));
  }

  private String liveSetting(String name) {
    return liveSettings.stream()
        .filter(setting -> setting.startsWith(name + "="))
        .findFirst()
        .orElse(name + "=");
  }
}
