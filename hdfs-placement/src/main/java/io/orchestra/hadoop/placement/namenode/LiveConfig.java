package io.orchestra.hadoop.placement.namenode;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.placement.PlacementConfig;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings in force in one NameNode. {@code hdfs dfsadmin -refresh HOST:PORT
 * orchestra-placement KEY=VALUE …} changes some of them until the NameNode restarts; an empty value
 * goes back to the configured one, and without arguments they are listed. Safe for concurrent use.
 */
final class LiveConfig implements Supplier<PlacementConfig>, RefreshHandler, Closeable {
  static final String IDENTIFIER = "orchestra-placement";

  private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);
  private static final int REFUSED = -1;

  /** Throws if the caller may not change the NameNode. */
  @FunctionalInterface
  interface CallerCheck {
    void verify() throws IOException;
  }

  private final Configuration conf;
  private final CallerCheck caller;

  /** Changed settings by their full names. Guarded by this. */
  private Map<String, String> changes = Map.of();

  private volatile PlacementConfig config;

  private LiveConfig(Configuration conf, PlacementConfig config, CallerCheck caller) {
    this.conf = conf;
    this.config = config;
    this.caller = caller;
  }

  /**
   * @param conf the NameNode's
   * @param config read from it
   */
  static LiveConfig register(Configuration conf, PlacementConfig config, CallerCheck caller) {
    LiveConfig live = new LiveConfig(conf, config, caller);
    RefreshRegistry.defaultRegistry().register(IDENTIFIER, live);
    return live;
  }

  @Override
  public void close() {
    RefreshRegistry.defaultRegistry().unregister(IDENTIFIER, this);
  }

  @Override
  public PlacementConfig get() {
    return config;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] arguments) {
    try {
      caller.verify();
      if (arguments.length > 0) {
        change(arguments);
      }
      return new RefreshResponse(0, "In force: " + config);
    } catch (IOException | InvalidConfigurationException | IllegalArgumentException e) {
      return new RefreshResponse(REFUSED, "Nothing changed: " + e.getMessage());
    }
  }

  private synchronized void change(String[] arguments) throws InvalidConfigurationException {
    Map<String, String> next = new TreeMap<>(changes);
    for (String argument : arguments) {
      List<String> pair = Splitter.on('=').limit(2).splitToList(argument);
      String key = PlacementConfig.PREFIX + pair.get(0).replace(PlacementConfig.PREFIX, "");
      List<String> live = PlacementConfig.LIVE_SETTINGS.stream().map(Setting::key).toList();
      if (pair.size() != 2 || !live.contains(key)) {
        throw new IllegalArgumentException(
            "'%s' is not KEY=VALUE with a key that can change while the NameNode runs: %s. Others take effect at a restart"
                .formatted(argument, live.stream().collect(Collectors.joining(", "))));
      }
      next.put(key, pair.get(1));
    }
    next.values().removeIf(String::isEmpty);
    Configuration changed = new Configuration(conf);
    next.forEach(changed::set);
    config = PlacementConfig.from(changed);
    changes = next;
    LOG.info(
        "{} changed settings until the next restart: {}; in force: {}",
        Server.getRemoteUser(),
        changes,
        config);
  }
}
