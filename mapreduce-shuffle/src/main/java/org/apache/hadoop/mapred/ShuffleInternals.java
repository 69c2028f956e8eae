package org.apache.hadoop.mapred;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.Path;

/** What a shuffle server knows of map outputs and connections. */
public final class ShuffleInternals {
  private ShuffleInternals() {}

  /** The same server with another group of connections; its port is yet to be set. */
  public static ShuffleChannelHandlerContext withChannels(
      ShuffleChannelHandlerContext server, ChannelGroup channels) {
    return new ShuffleChannelHandlerContext(
        server.conf,
        server.userRsrc,
        server.secretManager,
        server.pathCache,
        server.indexCache,
        server.metrics,
        channels);
  }

  /**
   * @throws IOException if this host has no such output
   */
  public static Path indexFile(
      ShuffleChannelHandlerContext server, String job, String user, String attempt)
      throws IOException {
    return paths(server, job, user, attempt).indexPath;
  }

  /**
   * @throws IOException if this host has no such output
   */
  public static Path dataFile(
      ShuffleChannelHandlerContext server, String job, String user, String attempt)
      throws IOException {
    return paths(server, job, user, attempt).dataPath;
  }

  private static ShuffleHandler.AttemptPathInfo paths(
      ShuffleChannelHandlerContext server, String job, String user, String attempt)
      throws IOException {
    try {
      return server.pathCache.get(new ShuffleHandler.AttemptPathIdentifier(job, user, attempt));
    } catch (ExecutionException e) {
      throw new IOException("no output of " + attempt, e.getCause());
    }
  }

  /**
   * Where one reducer's part of a map output lies.
   *
   * @throws IOException if the index cannot be read, or has no such part
   */
  public static IndexRecord part(
      ShuffleChannelHandlerContext server, String attempt, int reduce, Path indexFile, String user)
      throws IOException {
    return server.indexCache.getIndexInformation(attempt, reduce, indexFile, user);
  }

  /**
   * Counts a transfer that begins now in Hadoop's own metrics.
   *
   * @return counts its end
   */
  public static ChannelFutureListener countTransfer(
      ShuffleChannelHandlerContext server, long bytes) {
    server.metrics.shuffleConnections.incr();
    server.metrics.shuffleOutputBytes.incr(bytes);
    return server.metrics;
  }

  /** The connection is not closed for being idle. */
  public static void allowIdling(ChannelPipeline pipeline) {
    closeWhenIdle(pipeline, false);
  }

  /**
   * The connection is closed when it is idle for longer than one that a client has asked to keep
   * ({@code mapreduce.shuffle.connection-keep-alive.timeout}).
   */
  public static void limitIdling(ChannelPipeline pipeline) {
    closeWhenIdle(pipeline, true);
  }

  private static void closeWhenIdle(ChannelPipeline pipeline, boolean limited) {
    ShuffleHandler.TimeoutHandler timeout = pipeline.get(ShuffleHandler.TimeoutHandler.class);
    if (timeout != null) {
      timeout.setEnabledTimeout(limited);
    }
  }
}
