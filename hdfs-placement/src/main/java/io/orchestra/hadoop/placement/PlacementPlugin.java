package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.SettingReader;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of ours that a daemon starts and stops. If it cannot start it says why, once, with the
 * remedy, and the daemon runs as stock.
 *
 * @param <D> the daemon
 */
abstract class PlacementPlugin<D> extends Configured implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementPlugin.class);

  private final Class<D> daemon;
  private final String name;
  private final String consequence;
  private Closeable service;

  /**
   * @param daemon that names this class among its plugins
   * @param name of this part, for the log
   * @param consequence of its absence, for the log
   */
  PlacementPlugin(Class<D> daemon, String name, String consequence) {
    this.daemon = daemon;
    this.name = name;
    this.consequence = consequence;
  }

  /**
   * @return what {@link #stop} closes
   */
  abstract Closeable open(D daemon, Configuration conf, PlacementConfig config) throws IOException;

  @Override
  public final void start(Object startedBy) {
    try {
      PlacementConfig config = PlacementConfig.from(getConf());
      SettingReader.unknownKeys(getConf(), PlacementConfig.PREFIX, PlacementConfig.SETTINGS)
          .forEach(key -> LOG.warn("{} is not a setting and has no effect: misspelt?", key));
      if (config.enabled()) {
        service = open(daemon.cast(startedBy), getConf(), config);
      } else {
        LOG.info("The {} is switched off by {}enabled", name, PlacementConfig.PREFIX);
      }
    } catch (InvalidConfigurationException e) {
      LOG.error("The {} is off: {}. {}", name, consequence, e.getMessage());
    } catch (Exception | LinkageError e) {
      LOG.error("The {} is off: {}", name, consequence, e);
    }
  }

  @Override
  public final void stop() {
    if (service == null) {
      return;
    }
    try {
      service.close();
    } catch (IOException e) {
      LOG.warn("The {} did not end cleanly", name, e);
    }
    service = null;
  }

  @Override
  public final void close() {
    stop();
  }
}
