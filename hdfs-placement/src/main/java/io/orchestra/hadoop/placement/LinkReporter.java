package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.placement.datanode.ReporterService;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures a DataNode's link and reports it to all its NameNodes. Named in {@code
 * dfs.datanode.plugins}.
 *
 * <p>If it cannot start, it says why, and the DataNode runs as stock.
 */
public final class LinkReporter extends Configured implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(LinkReporter.class);

  private ReporterService service;

  @Override
  public void start(Object datanode) {
    try {
      PlacementConfig config = PlacementConfig.from(getConf());
      SettingReader.unknownKeys(getConf(), PlacementConfig.PREFIX, PlacementConfig.SETTINGS)
          .forEach(key -> LOG.warn("{} is not a setting and has no effect: misspelt?", key));
      if (!config.enabled()) {
        LOG.info("Link reporter is switched off by {}enabled", PlacementConfig.PREFIX);
        return;
      }
      service = ReporterService.start((DataNode) datanode, getConf(), config);
    } catch (InvalidConfigurationException e) {
      LOG.error("Link reporter is off, this DataNode counts as fully loaded. {}", e.getMessage());
    }
  }

  @Override
  public void stop() {
    if (service != null) {
      service.close();
      service = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
