package io.orchestra.hadoop.shuffle.nodemanager;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.orchestra.hadoop.core.daemon.MetricsRegistration;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleInternals;
import org.apache.hadoop.metrics2.util.MBeans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Our part of a NodeManager's shuffle service, from its start to its end. */
public final class ShuffleServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleServer.class);

  /** Stock's, in which its port is. */
  private final ChannelGroup listening;

  private final Connections connections;
  private final ShuffleChannelHandlerContext context;
  private final MetricsRegistration registration;

  /** Empty if another service of this JVM has it. */
  private final Optional<ObjectName> bean;

  private ShuffleServer(ShuffleChannelHandlerContext stock) {
    listening = stock.allChannels;
    ShuffleServerMetrics metrics = new ShuffleServerMetrics();
    ShuffledJobs jobs = new ShuffledJobs();
    RequestSignatures signatures =
        new RequestSignatures(stock.secretManager, stock.userRsrc, this::port);
    connections =
        new Connections(
            new RequestHandler(stock, signatures, new MapOutputs(stock), metrics, jobs), metrics);
    context = ShuffleInternals.withChannels(stock, connections);
    registration =
        MetricsRegistration.register(
            ShuffleServerMetrics.NAME, "Sizes and ranges of map outputs", metrics);
    bean = Optional.ofNullable(MBeans.register("NodeManager", ShuffledJobsMXBean.NAME, jobs));
  }

  /**
   * @param stock what the service would serve without us
   */
  public static ShuffleServer open(ShuffleChannelHandlerContext stock) {
    return new ShuffleServer(stock);
  }

  /** What the service is to serve instead. */
  public ShuffleChannelHandlerContext context() {
    return context;
  }

  /** Stock sets it when the server is bound. */
  private int port() {
    return context.port;
  }

  /**
   * Closes the port and then, as stock, all connections; ten seconds at most for each. Whoever is
   * cut off comes again at once: he waits patiently only if he is refused (Fetcher.connect), and
   * holds it against the map outputs of this host if he is let in and cut off again.
   */
  @Override
  public void close() {
    closePort();
    if (!connections.close().awaitUninterruptibly(10, TimeUnit.SECONDS)) {
      LOG.warn("{} connections did not end in ten seconds", connections.size());
    }
    registration.close();
    bean.ifPresent(MBeans::unregister);
  }

  private void closePort() {
    List<EventLoop> loops = listening.stream().map(Channel::eventLoop).toList();
    if (!listening.close().awaitUninterruptibly(10, TimeUnit.SECONDS)) {
      LOG.warn("The port did not close in ten seconds");
    }
    // Connections still get in until its event loop selects again, as it does before such a task.
    for (EventLoop loop : loops) {
      boolean unused =
          loop.schedule(() -> {}, 1, TimeUnit.MILLISECONDS)
              .awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
  }
}
