package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.util.Arrays;
import java.util.List;

/** Which plugins are on. */
enum Way {
  STOCK("stock"),
  PLACEMENT("only placement", Plugin.PLACEMENT),
  BROADCAST("only broadcast", Plugin.BROADCAST),
  SHUFFLE("only shuffle", Plugin.SHUFFLE),
  PREFETCH("only prefetch", Plugin.PREFETCH),
  ALL("all four", Plugin.values());

  private final String title;
  private final List<Plugin> plugins;

  Way(String title, Plugin... plugins) {
    this.title = title;
    this.plugins = List.of(plugins);
  }

  /** The arm's name. */
  String title() {
    return title;
  }

  List<Plugin> plugins() {
    return plugins;
  }

  /** The arms with one plugin. */
  static List<Way> alone() {
    return Arrays.stream(values()).filter(way -> way.plugins.size() == 1).toList();
  }
}
