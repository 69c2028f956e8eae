package io.orchestra.hadoop.core.daemon;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
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
 * The settings of a module that are in force in one NameNode. {@code hdfs dfsadmin -refresh
 * HOST:PORT NAME KEY=VALUE …} changes some of them until the NameNode restarts; an empty value goes
 * back to the configured one, and without arguments they are listed. Safe for concurrent use.
 *
 * @param <C> all settings of the module
 */
public final class LiveSettings<C> implements Supplier<C>, RefreshHandler, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);
  private static final int REFUSED = -1;

  /** Throws if the caller may not change the NameNode. */
  @FunctionalInterface
  public interface CallerCheck {
    void verify() throws IOException;
  }

  /** Reads all settings of a module. */
  @FunctionalInterface
  public interface Parser<C> {
    C parse(Configuration conf) throws InvalidConfigurationException;
  }

  /**
   * What an operator may change.
   *
   * @param name on the command line
   * @param prefix of the settings' keys, which may be left out
   * @param settings that may change while a NameNode runs
   */
  public record Changeable<C>(
      String name, String prefix, List<Setting<?>> settings, Parser<C> parser) {}

  private final Changeable<C> changeable;
  private final Configuration conf;
  private final CallerCheck caller;

  /** Changed settings by their full names. Guarded by this. */
  private Map<String, String> changes = Map.of();

  private volatile C config;

  private LiveSettings(Changeable<C> changeable, Configuration conf, C config, CallerCheck caller) {
    this.changeable = changeable;
    this.conf = conf;
    this.config = config;
    this.caller = caller;
  }

  /**
   * @param conf the NameNode's
   * @param config read from it
   */
  public static <C> LiveSettings<C> register(
      Changeable<C> changeable, Configuration conf, C config, CallerCheck caller) {
    LiveSettings<C> live = new LiveSettings<>(changeable, conf, config, caller);
    RefreshRegistry.defaultRegistry().register(changeable.name(), live);
    return live;
  }

  @Override
  public void close() {
    RefreshRegistry.defaultRegistry().unregister(changeable.name(), this);
  }

  @Override
  public C get() {
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
      String key = changeable.prefix() + pair.get(0).replace(changeable.prefix(), "");
      List<String> live = changeable.settings().stream().map(Setting::key).toList();
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
    config = changeable.parser().parse(changed);
    changes = next;
    LOG.info(
        "{} changed settings until the next restart: {}; in force: {}",
        Server.getRemoteUser(),
        changes,
        config);
  }
}
