package io.orchestra.hadoop.shuffle.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.util.ReferenceCountUtil;
import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.hadoop.mapred.KeptAlive;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our handler on connections that are encrypted, slow, flooded or broken. */
final class ConnectionsTest {
  @TempDir Path directory;
  private ServedJob served;

  @BeforeEach
  void open() throws IOException {
    served = new ServedJob(directory);
  }

  @AfterEach
  void close() {
    served.close();
  }

  /** Keeps what would be encrypted. */
  private static final class Plaintext extends ChannelOutboundHandlerAdapter {
    private final List<Object> messages = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws IOException {
      messages.add(message);
      if (message instanceof ByteBuf buffer) {
        buffer.readBytes(bytes, buffer.readableBytes());
        buffer.release();
      }
      assertThat(promise.trySuccess()).isTrue();
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      // Nothing is to be encrypted.
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      assertThat(promise.trySuccess()).isTrue();
    }
  }

  @Test
  void sendsARangeThroughMemoryWhereItIsEncrypted() throws Exception {
    Plaintext plaintext = new Plaintext();
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    engine.setUseClientMode(false);
    SslHandler ssl = new SslHandler(engine);
    EmbeddedChannel encrypted = served.connect(ssl, plaintext, new ChunkedWriteHandler());
    FullHttpRequest request =
        served.request(HttpMethod.GET, ServedJob.range(1, 1, 3, 6, 9).pathAndQuery());

    encrypted.writeInbound(request);

    assertThat(plaintext.messages).noneMatch(FileRegion.class::isInstance);
    assertThat(plaintext.messages.get(0)).isInstanceOf(HttpResponse.class);
    assertThat(plaintext.bytes.toByteArray())
        .isEqualTo(Arrays.copyOfRange(ServedJob.FIRST[1], 3, 9));
    assertThat(plaintext.messages).endsWith(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(served.job().openFiles()).isEmpty();
  }

  /** A network that takes nothing. */
  private static final class Stuck extends ChannelOutboundHandlerAdapter {
    private final List<Object> messages = new ArrayList<>();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      messages.add(message);
    }
  }

  @Test
  void aSlowReceiverIsNotCutOffAfterARequestThatKeptTheConnection() throws IOException {
    Stuck stuck = new Stuck();
    EmbeddedChannel kept = served.connect(stuck);
    kept.pipeline().addLast(KeptAlive.timeout());
    kept.writeInbound(
        served.request(HttpMethod.GET, ServedJob.range(1, 1, 0, 9, 9).pathAndQuery()));
    assertThat(stuck.messages).hasSize(3);

    KeptAlive.idle(kept.pipeline());

    assertThat(kept.isOpen()).isTrue();
    stuck.messages.forEach(ReferenceCountUtil::release);
    kept.finishAndReleaseAll();
  }

  @Test
  void whatFollowsARequestOnItsConnectionIsDropped() throws IOException {
    Stuck stuck = new Stuck();
    EmbeddedChannel flooded = served.connect(stuck);
    flooded.writeInbound(
        served.request(HttpMethod.GET, ServedJob.range(1, 1, 0, 9, 9).pathAndQuery()));
    for (String uri :
        List.of(ServedJob.range(1, 1, 0, 9, 9).pathAndQuery(), "/mapOutput?map=stocks")) {
      FullHttpRequest next = served.request(HttpMethod.GET, uri);
      flooded.writeInbound(next);
      assertThat(next.refCnt()).isZero();
    }

    assertThat(served.job().openFiles()).hasSize(1);
    assertThat(stuck.messages).hasSize(3);
    assertThat(served.reachedStock()).isEmpty();
    stuck.messages.forEach(ReferenceCountUtil::release);
    flooded.finishAndReleaseAll();
  }

  @Test
  void aConnectionThatHasBroughtARangeBringsAnotherAndIsClosedWhenItIsIdle() throws IOException {
    served.channel().pipeline().addLast(KeptAlive.timeout());
    byte[] first = served.bytesOf(ServedJob.range(1, 1, 0, 9, 9));
    assertThat(ServedJob.metric("ConnectionsUsedAgain")).isZero();
    assertThat(served.bytesOf(ServedJob.range(1, 1, 0, 9, 9))).isEqualTo(first);
    assertThat(ServedJob.metric("ConnectionsUsedAgain")).isEqualTo(1);

    KeptAlive.idle(served.channel().pipeline());
    assertThat(served.channel().isOpen()).isFalse();
  }

  @Test
  void aConnectionEndsWithItsRangeIfTheClientWantsThat() throws IOException {
    FullHttpRequest request =
        served.request(HttpMethod.GET, ServedJob.range(1, 1, 0, 9, 9).pathAndQuery());
    request.headers().set("Connection", "close");
    served.channel().writeInbound(request);

    assertThat(served.channel().isOpen()).isFalse();
    served.channel().releaseOutbound();
  }

  /** A network that breaks when bytes come. */
  private static final class Broken extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws Exception {
      if (message instanceof FileRegion) {
        ReferenceCountUtil.release(message);
        assertThat(promise.tryFailure(new IOException("connection reset"))).isTrue();
      } else {
        super.write(context, message, promise);
      }
    }
  }

  @Test
  void aRangeThatBreaksEndsTheConnectionAndIsCounted() throws IOException {
    served.reconnect(new Broken());

    served.ask(ServedJob.range(1, 1, 0, 9, 9));

    assertThat(served.channel().isOpen()).isFalse();
    assertThat(ServedJob.metric("RangesBroken")).isEqualTo(1);
    assertThat(ServedJob.metric("BytesSent")).isZero();
    assertThat(served.job().openFiles()).isEmpty();
  }

  @Test
  void aConnectionThatHasEndedLeavesNoFileOpen() throws IOException {
    ChannelHandlerContext context = served.channel().pipeline().context(RequestHandler.class);
    RequestHandler handler = (RequestHandler) context.handler();
    assertThat(served.channel().close().isSuccess()).isTrue();

    handler.channelRead(
        context, served.request(HttpMethod.GET, ServedJob.range(1, 1, 0, 9, 9).pathAndQuery()));

    assertThat(ServedJob.metric("RangesBroken")).isEqualTo(1);
    assertThat(served.job().openFiles()).isEmpty();
  }

  @Test
  void failuresOfOursAreAnsweredAndNotThrown() throws IOException {
    RequestHandler failing =
        new RequestHandler(
            served.stock().context(),
            new RequestSignatures(
                served.stock().context().secretManager,
                served.stock().context().userRsrc,
                () -> {
                  throw new IllegalStateException("no port");
                }),
            new MapOutputs(served.stock().context()),
            new ShuffleServerMetrics(),
            new ShuffledJobs());
    served.use(new EmbeddedChannel(failing));

    served.ask(ServedJob.sizes(0, ShuffledJob.attempt(1)));

    FullHttpResponse response = served.channel().readOutbound();
    assertThat(response.status().code()).isEqualTo(500);
    assertThatCode(served.channel()::checkException).doesNotThrowAnyException();
    response.release();
  }

  @Test
  void aConnectionWithoutStocksHandlerIsLeftAloneAndCounted() {
    EmbeddedChannel other = new EmbeddedChannel(DefaultChannelId.newInstance());

    assertThat(served.server().context().allChannels.add(other)).isTrue();

    assertThat(other.pipeline().get(RequestHandler.class)).isNull();
    assertThat(ServedJob.metric("ConnectionsLeftToStock")).isEqualTo(1);
  }

  @Test
  void theServersEndIsThatOfItsConnectionsAndOfItsMetrics() {
    served.server().close();

    assertThat(served.channel().isOpen()).isFalse();
    assertThat(served.connect().isOpen()).isFalse();
    assertThat(DefaultMetricsSystem.instance().getSource("OrchestraShuffleServer")).isNull();
  }
}
