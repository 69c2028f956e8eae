package io.orchestra.hadoop.shuffle;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.shuffle.nodemanager.ShuffleServer;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's shuffle service, which also tells reducers how large map outputs are and sends parts of
 * them. Named in {@code yarn.nodemanager.aux-services.mapreduce_shuffle.class}: under that
 * service's name it gets the jobs' tokens, and what stock stored before a restart.
 *
 * <p>If our part cannot start, this is the stock service.
 */
public final class WeightedShuffleHandler extends ShuffleHandler {
  private static final Logger LOG = LoggerFactory.getLogger(WeightedShuffleHandler.class);

  private static final String CONSEQUENCE =
      "WSS is off on this NodeManager: reducers fetch from it as they do from stock";

  private ShuffleServer server;

  /**
   * @throws IllegalStateException in a class loader of its own, to which Hadoop does not forward
   *     where map outputs are (AuxiliaryServiceWithCustomClassLoader): no reducer would get any
   */
  @Override
  protected void serviceStart() throws Exception {
    if (getAuxiliaryLocalPathHandler() == null) {
      throw new IllegalStateException(
          "%s is not told where map outputs are. Has it a class loader of its own? Put its jar on the NodeManager's class path, and take classpath, remote-classpath or files out of its declaration"
              .formatted(getName()));
    }
    super.serviceStart();
  }

  /** Called once, by {@link ShuffleHandler#serviceStart}, before the first connection. */
  @Override
  protected ShuffleChannelHandlerContext createHandlerContext() {
    // Before stock loads JobConf, which adds mapred-site.xml, for who submits jobs, to all
    // configurations.
    boolean enabled = isEnabled();
    ShuffleChannelHandlerContext stock = super.createHandlerContext();
    if (!enabled) {
      return stock;
    }
    try {
      server = ShuffleServer.open(stock);
      return server.context();
    } catch (RuntimeException | LinkageError e) {
      LOG.error("{}", CONSEQUENCE, e);
    }
    return stock;
  }

  private boolean isEnabled() {
    try {
      if (ShuffleConfig.from(getConfig()).enabled()) {
        return true;
      }
      LOG.info("{}. It is switched off", CONSEQUENCE);
    } catch (InvalidConfigurationException e) {
      LOG.error("{}. {}", CONSEQUENCE, e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      LOG.error("{}", CONSEQUENCE, e);
    }
    return false;
  }

  @Override
  protected void serviceStop() throws Exception {
    try {
      if (server != null) {
        server.close();
      }
    } finally {
      super.serviceStop();
    }
  }
}
