package io.orchestra.hadoop.shuffle.nodemanager;

import com.google.common.util.concurrent.RateLimiter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one shuffle server. When one is added, before its first request
 * (ShuffleChannelHandler.channelActive), our handler is put in front of stock's.
 *
 * <p>Once closed it closes whatever is still added.
 */
final class Connections extends DefaultChannelGroup {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /** Name of stock's handler (ShuffleChannelInitializer.initChannel). */
  private static final String STOCK = "shuffle";

  private final ChannelHandler handler;
  private final ShuffleServerMetrics metrics;
  private final RateLimiter told = RateLimiter.create(1.0 / 60);

  Connections(ChannelHandler handler, ShuffleServerMetrics metrics) {
    super("orchestra-shuffle", GlobalEventExecutor.INSTANCE, true);
    this.handler = handler;
    this.metrics = metrics;
  }

  @Override
  public boolean add(Channel channel) {
    try {
      channel.pipeline().addBefore(STOCK, "orchestra", handler);
    } catch (RuntimeException | LinkageError e) {
      metrics.leftToStock();
      if (told.tryAcquire()) {
        LOG.warn("{} is served by stock alone (told at most once a minute)", channel, e);
      }
    }
    return super.add(channel);
  }
}
