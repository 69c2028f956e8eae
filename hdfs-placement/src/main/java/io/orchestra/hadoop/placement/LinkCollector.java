package io.orchestra.hadoop.placement;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.placement.namenode.CollectorService;
import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects link reports inside a NameNode. Named in {@code dfs.namenode.plugins}.
 *
 * <p>Runs in every state of a highly available NameNode, so that a new active one knows the links
 * at once. If it cannot start, it says why, and the NameNode runs as stock.
 */
public final class LinkCollector extends Configured implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCollector.class);

  private CollectorService service;

  @Override
  public void start(Object namenode) {
    try {
      PlacementConfig config = PlacementConfig.from(getConf());
      SettingReader.unknownKeys(getConf(), PlacementConfig.PREFIX, PlacementConfig.SETTINGS)
          .forEach(key -> LOG.warn("{} is not a setting and has no effect: misspelt?", key));
      if (!config.enabled()) {
        LOG.info("Link collector is switched off by {}enabled", PlacementConfig.PREFIX);
        return;
      }
      service = CollectorService.start((NameNode) namenode, getConf(), config);
    } catch (InvalidConfigurationException e) {
      LOG.error("Link collector is off, HDFS places all replicas. {}", e.getMessage());
    } catch (IOException e) {
      LOG.error(
          "Link collector is off, HDFS places all replicas: it cannot listen on {}collector.port",
          PlacementConfig.PREFIX,
          e);
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
