package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.network.Rate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Our plugins: which modules they are made of, who loads them, and the XML that turns them on. */
public enum Plugin {
  PLACEMENT("hdfs-placement", Role.NAMENODE, Role.DATANODE),
  BROADCAST("broadcast-cache", Role.NAMENODE, Role.DATANODE, Role.NODEMANAGER),
  SHUFFLE("mapreduce-shuffle", Role.NODEMANAGER, Role.TASKS),
  PREFETCH("prefetch-scheduler", Role.DATANODE, Role.RESOURCEMANAGER, Role.NODEMANAGER, Role.TASKS);

  /** Where the localizers of a host ask its DataNode for blocks. */
  public static final String BLOCK_CACHE_SOCKET = "orchestra.block-cache.socket";

  /** The last part of that path on emulated hosts. */
  public static final String BLOCK_CACHE_SOCKET_NAME = "block-cache.sock";

  /** Where a DataNode keeps blocks for them. */
  public static final String BLOCK_CACHE_DIRECTORY = "orchestra.block-cache.directory";

  private final String module;
  private final Set<Role> roles;

  Plugin(String module, Role... roles) {
    this.module = module;
    this.roles = Set.of(roles);
  }

  /** Parses names with commas between them, or {@code none}. */
  public static List<Plugin> parse(String names) {
    List<Plugin> plugins = new ArrayList<>();
    if (names.strip().equals("none")) {
      return plugins;
    }
    for (String name : Splitter.on(',').trimResults().omitEmptyStrings().split(names)) {
      plugins.add(named(name));
    }
    return plugins;
  }

  public String pluginName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The modules whose jars it needs. */
  public List<String> modules() {
    return List.of("core", module);
  }

  /** The processes that load those jars. */
  public Set<Role> roles() {
    return roles;
  }

  /** The directory below {@code conf} with the site files that turn it on. */
  public String settingsDirectory() {
    return module;
  }

  /**
   * What it has to be told on emulated hosts, whose interfaces do not know their speed and which
   * share this machine's file system.
   *
   * @param sockets the directory of a host for sockets of its DataNode
   * @param hostRate of every worker's link
   * @param uplinkRate of every rack's link
   */
  public List<Setting> emulation(Path sockets, Rate hostRate, Rate uplinkRate) {
    return switch (this) {
      case PLACEMENT ->
          capacities(
              Site.HDFS,
              "orchestra.placement.link-capacity",
              hostRate,
              "orchestra.placement.rack-link-capacity",
              uplinkRate);
      case BROADCAST -> List.of(socket(sockets));
      case PREFETCH ->
          ImmutableList.<Setting>builder()
              .add(socket(sockets))
              .addAll(
                  capacities(
                      Site.YARN,
                      "orchestra.prefetch.link-capacity",
                      hostRate,
                      "orchestra.prefetch.rack-capacity",
                      uplinkRate))
              .build();
      case SHUFFLE -> List.of();
    };
  }

  private static Setting socket(Path sockets) {
    return new Setting(
        Site.HDFS, BLOCK_CACHE_SOCKET, sockets.resolve(BLOCK_CACHE_SOCKET_NAME).toString());
  }

  private static List<Setting> capacities(
      Site site, String hostKey, Rate hostRate, String uplinkKey, Rate uplinkRate) {
    List<Setting> settings = new ArrayList<>();
    if (hostRate.limited()) {
      settings.add(new Setting(site, hostKey, hostRate.toString()));
    }
    if (uplinkRate.limited()) {
      settings.add(new Setting(site, uplinkKey, uplinkRate.toString()));
    }
    return settings;
  }

  /**
   * What it has to be told where all daemons share one process, and with it the loopback interface
   * and its ports.
   *
   * @param work a directory for what it stores; a path in a setting is that of the first DataNode
   */
  public List<Setting> loopback(Path work) {
    return switch (this) {
      case PLACEMENT -> List.of(new Setting(Site.HDFS, "orchestra.placement.interface", "lo"));
      case BROADCAST ->
          List.of(
              new Setting(Site.HDFS, "orchestra.broadcast.peer.port", "0"),
              socket(work.resolve("run")),
              blockCache(work));
      case PREFETCH -> List.of(socket(work.resolve("run")), blockCache(work));
      case SHUFFLE -> List.of();
    };
  }

  private static Setting blockCache(Path work) {
    return new Setting(Site.HDFS, BLOCK_CACHE_DIRECTORY, work.resolve("block-cache").toString());
  }

  private static Plugin named(String name) {
    return Arrays.stream(values())
        .filter(plugin -> plugin.pluginName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TestbedException(
                    "'"
                        + name
                        + "' is not a plugin: use none or some of "
                        + Arrays.stream(values())
                            .map(Plugin::pluginName)
                            .collect(Collectors.joining(", "))));
  }
}
