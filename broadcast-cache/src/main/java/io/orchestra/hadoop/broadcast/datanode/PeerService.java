package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.base.Ticker;
import com.google.common.io.Closer;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.algorithm.Turns;
import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.RepeatedTask;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of the broadcast cache that lives in one DataNode: the port for other peers, the files
 * being brought in, the announcements. {@link #close} ends all of it.
 */
public final class PeerService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerService.class);
  private static final Duration TICK = Duration.ofMillis(100);

  private final Closer parts;

  private PeerService(Closer parts) {
    this.parts = parts;
  }

  /**
   * @throws IOException if a port, a directory or the socket for localizers cannot be had, or peers
   *     could not tell each other from strangers; nothing is left running after any failure
   */
  public static PeerService start(
      DataNode datanode, Configuration conf, BroadcastConfig config, BlockCacheConfig cacheConfig)
      throws IOException {
    PeerHandshake.require(UserGroupInformation.isSecurityEnabled(), datanode.getDnConf());
    Closer parts = Closer.create();
    try {
      AtomicInteger port = new AtomicInteger();
      BroadcastMetrics metrics = parts.register(new BroadcastMetrics());
      Trackers trackers =
          parts.register(
              new Trackers(
                  datanode::getDatanodeUuid, conf, config, port::get, Ticker.systemTicker()));
      Replicas replicas = new Replicas(datanode, metrics);
      Rest rest = new Rest();
      BlockCache.Membership membership = parts.register(BlockCache.join(datanode, cacheConfig));
      Downloads downloads =
          parts.register(
              new Downloads(
                  datanode,
                  config,
                  membership.cache()::has,
                  trackers,
                  metrics,
                  receivers(),
                  new Turns()::inTurns,
                  rest::end));
      SwarmFiller filler =
          new SwarmFiller(
              config,
              membership.cache(),
              replicas,
              trackers,
              downloads,
              (long) (cacheConfig.capacity() * cacheConfig.sharePerUser()));
      PeerListener listener =
          parts.register(
              PeerListener.start(
                  datanode,
                  config,
                  replicas,
                  membership.cache(),
                  filler,
                  downloads,
                  metrics,
                  rest::end));
      port.set(listener.port());
      membership.fillWith(filler);
      parts.register(
          RepeatedTask.start(
              "orchestra-peer-clock",
              Duration.ZERO,
              TICK,
              new GuardedTask("Looking after downloads", () -> downloads.tick(System.nanoTime())),
              new GuardedTask("Looking after receivers", () -> listener.tick(System.nanoTime())),
              new GuardedTask(
                  "Resting",
                  () -> rest.takeWhile(() -> downloads.areIdle() && listener.isIdle()))));
      parts.register(
          RepeatedTask.start(
              "orchestra-peer-announcements",
              Duration.ZERO,
              config.announceInterval(),
              new GuardedTask(
                  "Telling trackers what is here",
                  new Announcer(
                      datanode, trackers, downloads, new UplinkMeter(config.networkInterface())))));
      LOG.info("Serving pieces to other peers on port {}", listener.port());
      return new PeerService(parts);
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static ExecutorService receivers() {
    return Executors.newCachedThreadPool(
        new ThreadFactoryBuilder()
            .setNameFormat("orchestra-peer-receiver-%d")
            .setDaemon(true)
            .build());
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
