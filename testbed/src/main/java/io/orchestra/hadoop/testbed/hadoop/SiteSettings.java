package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.SiteFile.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

  private final Map<Site, Map<String, Value>> sites = new EnumMap<>(Site.class);

  public Optional<String> value(Site site, String key) {
    return Optional.ofNullable(properties(site).get(key)).map(Value::text);
  }

  /** Sets a property, whatever it was before; one that was final is so still. */
  public void set(Setting setting) {
    properties(setting.site())
        .merge(
            setting.key(),
            Value.of(setting.value()),
            (before, now) -> new Value(now.text(), before.isFinal()));
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
      FileTree.write(directory.resolve(site.fileName()), SiteFile.renderValues(properties(site)));
    }
  }

  private void merge(Site site, String key, Value value) {
    Value before = properties(site).getOrDefault(key, Value.of(""));
    String text = LISTS.contains(key) ? union(before.text(), value.text()) : value.text();
    properties(site).put(key, new Value(text, before.isFinal() || value.isFinal()));
  }

  private static String union(String... lists) {
    Set<String> items = new LinkedHashSet<>();
    for (String list : lists) {
      Splitter.on(',').trimResults().omitEmptyStrings().split(list).forEach(items::add);
    }
    return String.join(",", items);
  }

  private Map<String, Value> properties(Site site) {
    return sites.computeIfAbsent(site, s -> new LinkedHashMap<>());
  }
}
