package io.orchestra.hadoop.shuffle.nodemanager;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.orchestra.hadoop.shuffle.rpc.ProtocolHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;

/**
 * Writes responses with the headers that stock's have. The connection ends with each but those that
 * keep it.
 */
final class Responses {
  private Responses() {}

  static void refuse(Channel channel, Refusal refusal) {
    byte[] message = refusal.getMessage().getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response = full(refusal.reason().status(), message);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
    channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  static void send(Channel channel, String replyHash, byte[] body) {
    FullHttpResponse response = full(HttpResponseStatus.OK, body);
    response.headers().set(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH, replyHash);
    channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  /**
   * @param body what Netty makes {@code length} bytes of
   * @param kept run when the body is sent, if the connection is kept: before the client can have it
   *     and ask again
   * @param sent told when the body is sent, or cannot be
   */
  static void send(
      Channel channel,
      String replyHash,
      Object body,
      long length,
      Optional<Runnable> kept,
      ChannelFutureListener... sent) {
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    complete(head, length);
    if (kept.isPresent()) {
      head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
    head.headers().set(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH, replyHash);
    channel.write(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    // A broken body must not wait for an end that is stuck behind it.
    ChannelFuture whole =
        channel.write(body).addListeners(sent).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    ChannelFuture end = channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    if (kept.isPresent()) {
      whole.addListener(
          transfer -> {
            if (transfer.isSuccess()) {
              kept.get().run();
            }
          });
    } else {
      end.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static FullHttpResponse full(HttpResponseStatus status, byte[] body) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    complete(response, body.length);
    return response;
  }

  private static void complete(HttpResponse response, long length) {
    HttpUtil.setContentLength(response, length);
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ProtocolHeaders.addTo((name, value) -> response.headers().set(name, value));
  }
}
