package io.orchestra.hadoop.testbed.bench.cluster;

import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import java.util.List;

/** How much room hosts have for maps. */
public final class MapSlots {
  /**
   * A host has room for one map, for which others wait, and beside it for four of application
   * masters and reduces, so that no job waits for its application master. Of processors, by which
   * the Fair Scheduler would limit application masters too, there is enough.
   */
  public static final List<Setting> ONE_A_HOST =
      List.of(
          new Setting(Site.YARN, "yarn.nodemanager.resource.memory-mb", "1152"),
          new Setting(Site.YARN, "yarn.nodemanager.resource.cpu-vcores", "16"),
          new Setting(Site.YARN, "yarn.scheduler.minimum-allocation-mb", "64"),
          new Setting(Site.YARN, "yarn.resource-types.memory-mb.increment-allocation", "64"),
          new Setting(Site.YARN, "yarn.scheduler.maximum-allocation-mb", "640"),
          // Nodes are reserved for what is larger than so many increments. By default that is 2 GB
          // or more, not a map; and slots, which FlexFetch's paper had, are not reserved.
          new Setting(Site.YARN, "yarn.scheduler.reservation-threshold.increment-multiple", "20"),
          new Setting(Site.MAPRED, "mapreduce.map.memory.mb", "640"),
          new Setting(Site.MAPRED, "mapreduce.reduce.memory.mb", "128"),
          new Setting(Site.MAPRED, "yarn.app.mapreduce.am.resource.mb", "128"));

  private MapSlots() {}
}
