package io.orchestra.hadoop.shuffle.nodemanager;

import com.google.common.util.concurrent.RateLimiter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.orchestra.hadoop.shuffle.nodemanager.Refusal.Reason;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.OutputSizes;
import io.orchestra.hadoop.shuffle.rpc.ProtocolHeaders;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import io.orchestra.hadoop.shuffle.rpc.ShuffleRequest;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.ShuffleInternals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the GET requests that carry {@link ShuffleRequest#PARAMETER}. All else passes untouched
 * to stock's handler, which is the next in the pipeline. Nothing is thrown into the pipeline.
 *
 * <p>Runs on the threads of the connections, as stock's handler does, which also reads indexes
 * there.
 */
@ChannelHandler.Sharable
final class RequestHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private static final AttributeKey<Boolean> ANSWERING =
      AttributeKey.valueOf(RequestHandler.class, "answering");

  private final ShuffleChannelHandlerContext server;
  private final RequestSignatures signatures;
  private final MapOutputs outputs;
  private final ShuffleServerMetrics metrics;
  private final ShuffledJobs jobs;
  private final RateLimiter told = RateLimiter.create(1.0 / 60);

  RequestHandler(
      ShuffleChannelHandlerContext server,
      RequestSignatures signatures,
      MapOutputs outputs,
      ShuffleServerMetrics metrics,
      ShuffledJobs jobs) {
    this.server = server;
    this.signatures = signatures;
    this.outputs = outputs;
    this.metrics = metrics;
    this.jobs = jobs;
  }

  /**
   * What a client sends before it has our answer is dropped: each request would open a file, before
   * any of them is sent.
   */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isAnswering(context.channel())) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof FullHttpRequest request) {
      Map<String, List<String>> query = query(request);
      if (query.containsKey(ShuffleRequest.PARAMETER)) {
        if (context.channel().attr(ANSWERING).getAndSet(true) != null) {
          metrics.askedAgain();
        }
        try {
          answer(context.channel(), request, query);
        } finally {
          request.release();
        }
        return;
      }
    }
    context.fireChannelRead(message);
  }

  private static boolean isAnswering(Channel channel) {
    return Boolean.TRUE.equals(channel.attr(ANSWERING).get());
  }

  /** Empty if the request is surely not one of ours. */
  private static Map<String, List<String>> query(HttpRequest request) {
    if (!request.method().equals(HttpMethod.GET)
        || !request.decoderResult().isSuccess()
        || !request.uri().contains(ShuffleRequest.PARAMETER)) {
      return Map.of();
    }
    try {
      return new QueryStringDecoder(request.uri()).parameters();
    } catch (IllegalArgumentException e) {
      LOG.debug("Left a URL to stock that cannot be decoded", e);
      return Map.of();
    }
  }

  private void answer(Channel channel, HttpRequest request, Map<String, List<String>> query) {
    try {
      ShuffleRequest asked = parse(request, query);
      Requester requester = signatures.verify(asked.job(), request);
      ShuffleInternals.allowIdling(channel.pipeline());
      if (asked instanceof SizesRequest sizes) {
        sendSizes(channel, sizes, requester);
      } else if (asked instanceof RangeRequest range) {
        sendRange(channel, range, requester, HttpUtil.isKeepAlive(request));
      }
    } catch (Refusal refusal) {
      refuse(channel, refusal);
    } catch (IOException | RuntimeException | LinkageError e) {
      refuse(channel, new Refusal(Reason.FAILED, "failed: " + e, e));
    }
  }

  private static ShuffleRequest parse(HttpRequest request, Map<String, List<String>> query)
      throws Refusal {
    if (!ProtocolHeaders.areIn(name -> request.headers().get(name))) {
      throw new Refusal(Reason.GARBAGE, "a shuffle of another name or version");
    }
    try {
      return ShuffleRequest.parse(query);
    } catch (IllegalArgumentException e) {
      throw new Refusal(Reason.GARBAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private void sendSizes(Channel channel, SizesRequest request, Requester requester) {
    List<OutputSize> sizes = outputs.sizes(request, requester);
    if (!sizes.isEmpty()) {
      jobs.told(request);
    }
    byte[] body = OutputSizes.write(sizes);
    // Whoever has the answer finds it counted.
    metrics.answeredSizes();
    Responses.send(channel, requester.replyHash(), body);
  }

  /**
   * @param keep whether the client may ask again on this connection: a new one would begin slowly
   */
  private void sendRange(Channel channel, RangeRequest request, Requester requester, boolean keep)
      throws Refusal, IOException {
    FileRange range = outputs.open(request, requester);
    jobs.told(request);
    boolean encrypted = channel.pipeline().get(SslHandler.class) != null;
    Object body = range.message(server, encrypted);
    ShuffleHandler.AUDITLOG.debug(
        "{} reducer {}: {} bytes from {} of {}",
        request.job(),
        request.reduce(),
        request.length(),
        request.offset(),
        request.output());
    Responses.send(
        channel,
        requester.replyHash(),
        body,
        request.length(),
        keep ? Optional.of(() -> awaitNext(channel)) : Optional.empty(),
        counted(request.length()),
        ShuffleInternals.countTransfer(server, request.length()));
  }

  /** The connection is closed after it has been idle for as long as a kept one of stock's. */
  private static void awaitNext(Channel channel) {
    channel.attr(ANSWERING).set(false);
    ShuffleInternals.limitIdling(channel.pipeline());
  }

  private ChannelFutureListener counted(long length) {
    return transfer -> {
      if (transfer.isSuccess()) {
        metrics.sentRange(length);
      } else {
        metrics.brokeRange();
        LOG.debug("A range was not sent whole to {}", transfer.channel(), transfer.cause());
      }
    };
  }

  private void refuse(Channel channel, Refusal refusal) {
    metrics.refused(refusal.reason());
    boolean serious = refusal.reason() == Reason.FORGED || refusal.reason() == Reason.FAILED;
    if (serious && told.tryAcquire()) {
      LOG.warn(
          "Refused a request from {} (told at most once a minute)",
          channel.remoteAddress(),
          refusal);
    } else {
      LOG.debug("Refused a request from {}", channel.remoteAddress(), refusal);
    }
    Responses.refuse(channel, refusal);
  }
}
