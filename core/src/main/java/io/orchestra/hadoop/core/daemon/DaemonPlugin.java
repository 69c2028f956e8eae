package io.orchestra.hadoop.core.daemon;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
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
public abstract class DaemonPlugin<D> extends Configured implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(DaemonPlugin.class);

  private static final Duration LONGEST_END = Duration.ofSeconds(30);

  private final Class<D> daemon;
  private final String name;
  private final String consequence;
  private Closeable service;

  /**
   * @param daemon that names this class among its plugins
   * @param name of this part, for the log
   * @param consequence of its absence, for the log
   */
  protected DaemonPlugin(Class<D> daemon, String name, String consequence) {
    this.daemon = daemon;
    this.name = name;
    this.consequence = consequence;
  }

  /**
   * @return what {@link #stop} closes; empty if this part is switched off
   */
  protected abstract Optional<Closeable> open(D startedBy, Configuration conf)
      throws IOException, InvalidConfigurationException;

  @Override
  public final void start(Object startedBy) {
    try {
      service = open(daemon.cast(startedBy), getConf()).orElse(null);
      if (service == null) {
        LOG.info("The {} is switched off", name);
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
    Closeable ending = service;
    service = null;
    // A disk that hangs must not keep the daemon from its end.
    Thread thread = new Thread(() -> end(ending), "orchestra-end");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(LONGEST_END.toMillis());
      if (thread.isAlive()) {
        LOG.warn("The {} has not ended after {} s", name, LONGEST_END.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(Closeable ending) {
    try {
      ending.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The {} did not end cleanly", name, e);
    }
  }

  @Override
  public final void close() {
    stop();
  }
}
