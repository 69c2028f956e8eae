package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The properties of all site files of a cluster, built up in layers. */
public final class SiteSettings {
  /** Lists to which every layer adds; any other property of a later layer replaces the earlier. */
  private static final Set<String> LISTS =
      Set.of(
          "dfs.namenode.plugins",
          "dfs.datanode.plugins",
          "dfs.client.replica.accessor.builder.classes",
          "yarn.nodemanager.aux-services",
          "yarn.resourcemanager.scheduler.monitor.policies");

  private final Map<Site, Map<String, String>> sites = new EnumMap<>(Site.class);

  public Optional<String> value(Site site, String key) {
    return Optional.ofNullable(properties(site).get(key));
  }

  /** Sets a property, whatever it was before. */
  public void set(Setting setting) {
    properties(setting.site()).put(setting.key(), setting.value());
  }

  public void set(Site site, String key, String value) {
    set(new Setting(site, key, value));
  }

  /** Lays the site files of a directory over what is here; files that do not exist say nothing. */
  public void layer(Path directory) {
    for (Site site : Site.values()) {
      Path file = directory.resolve(site.fileName());
      if (Files.exists(file)) {
        SiteFile.parse(file).forEach((key, value) -> merge(site, key, value));
      }
    }
  }

  /** Writes one file for each site. */
  public void write(Path directory) {
    for (Site site : Site.values()) {
      FileTree.write(directory.resolve(site.fileName()), render(site));
    }
  }

  String render(Site site) {
    return SiteFile.render(properties(site));
  }

  private void merge(Site site, String key, String value) {
    Map<String, String> properties = properties(site);
    if (LISTS.contains(key) && properties.containsKey(key)) {
      Set<String> items = new LinkedHashSet<>();
      for (String list : List.of(properties.get(key), value)) {
        Splitter.on(',').trimResults().omitEmptyStrings().split(list).forEach(items::add);
      }
      properties.put(key, String.join(",", items));
    } else {
      properties.put(key, value);
    }
  }

  private Map<String, String> properties(Site site) {
    return sites.computeIfAbsent(site, s -> new LinkedHashMap<>());
  }
}
