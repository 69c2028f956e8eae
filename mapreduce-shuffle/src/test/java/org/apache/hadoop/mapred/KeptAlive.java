package org.apache.hadoop.mapred;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateEvent;

/** A connection that stock keeps alive for a while after a response. */
public final class KeptAlive {
  private KeptAlive() {}

  /** Stock's handler, as it is after a request for keep-alive. */
  public static ChannelHandler timeout() {
    ShuffleHandler.TimeoutHandler timeout = new ShuffleHandler.TimeoutHandler(1000);
    timeout.setEnabledTimeout(true);
    return timeout;
  }

  /** As if nothing had been written for that while. */
  public static void idle(ChannelPipeline pipeline) {
    ShuffleHandler.TimeoutHandler timeout = pipeline.get(ShuffleHandler.TimeoutHandler.class);
    timeout.channelIdle(pipeline.context(timeout), IdleStateEvent.WRITER_IDLE_STATE_EVENT);
  }
}
