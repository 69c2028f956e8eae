package io.orchestra.hadoop.shuffle.nodemanager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.util.ReferenceCountUtil;
import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.OutputSizes;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import io.orchestra.hadoop.shuffle.rpc.ShuffleRequest;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.hadoop.mapred.FadvisedFileRegion;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.KeptAlive;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our handler in front of stock's, with stock's own caches, on a connection of memory. */
final class RequestHandlerTest {
  private static final int PORT = 13562;
  private static final String MISSING = ShuffledJob.attempt(99);
  private static final byte[][] FIRST = {
    "alpha".getBytes(UTF_8), "beta beta".getBytes(UTF_8), new byte[0]
  };
  private static final byte[][] SECOND = {
    "0".getBytes(UTF_8), "12".getBytes(UTF_8), "345".getBytes(UTF_8)
  };

  @TempDir Path directory;
  private final List<Object> reachedStock = new ArrayList<>();
  private ShuffledJob job;
  private StockShuffle stock;
  private ShuffleServer server;
  private EmbeddedChannel channel;

  @BeforeEach
  void open() throws IOException {
    job = new ShuffledJob(directory);
    job.write(1, FIRST);
    job.write(2, SECOND);
    stock = StockShuffle.with(job);
    server = ShuffleServer.open(stock.context());
    server.context().port = PORT;
    channel = connect();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
    stock.stop();
  }

  /** Takes the place of stock's handler. */
  private final class Stock extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      reachedStock.add(message);
    }
  }

  private EmbeddedChannel connect(ChannelHandler... below) {
    EmbeddedChannel connection = new EmbeddedChannel(below);
    connection.pipeline().addLast("shuffle", new Stock());
    server.context().allChannels.add(connection);
    return connection;
  }

  private FullHttpRequest request(HttpMethod method, String pathAndQuery) throws IOException {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, method, pathAndQuery, Unpooled.buffer().writeByte(1));
    request
        .headers()
        .set("name", "mapreduce")
        .set("version", "1.0.0")
        .set("UrlHash", job.hash(PORT, pathAndQuery));
    return request;
  }

  private void ask(FullHttpRequest request) {
    channel.writeInbound(request);
    assertThat(request.refCnt()).isZero();
    assertThat(reachedStock).isEmpty();
  }

  private void ask(ShuffleRequest request) throws IOException {
    ask(request(HttpMethod.GET, request.pathAndQuery()));
  }

  private static SizesRequest sizes(int reduce, String... outputs) {
    return new SizesRequest(ShuffledJob.ID, reduce, List.of(outputs));
  }

  private static RangeRequest range(int reduce, int map, long offset, long length, long part) {
    return new RangeRequest(ShuffledJob.ID, reduce, ShuffledJob.attempt(map), offset, length, part);
  }

  private List<OutputSize> sizesOf(SizesRequest request) throws IOException {
    ask(request);
    FullHttpResponse response = channel.readOutbound();
    assertThat(response.status().code()).isEqualTo(200);
    verifyHead(response, request, response.content().readableBytes());
    try (ByteBufInputStream body = new ByteBufInputStream(response.content(), true)) {
      return OutputSizes.read(body, request);
    }
  }

  private void verifyHead(HttpResponse response, ShuffleRequest request, long length)
      throws IOException {
    assertThat(response.headers().get("name")).isEqualTo("mapreduce");
    assertThat(response.headers().get("version")).isEqualTo("1.0.0");
    assertThat(response.headers().get("connection")).isEqualTo("close");
    assertThat(response.headers().get("content-length")).isEqualTo(Long.toString(length));
    job.verifyReply(response.headers().get("ReplyHash"), PORT, request.pathAndQuery());
  }

  private byte[] bytesOf(RangeRequest request) throws IOException {
    ask(request);
    HttpResponse head = channel.readOutbound();
    assertThat(head.status().code()).isEqualTo(200);
    verifyHead(head, request, request.length());
    FadvisedFileRegion body = channel.readOutbound();
    byte[] bytes = bytes(body);
    assertThat(job.openFiles()).hasSize(1);
    body.release();
    assertThat(job.openFiles()).isEmpty();
    assertThat(channel.<Object>readOutbound()).isEqualTo(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(channel.isOpen()).isFalse();
    return bytes;
  }

  private static byte[] bytes(FileRegion region) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableByteChannel target = Channels.newChannel(bytes);
    while (region.transferred() < region.count()) {
      assertThat(region.transferTo(target, region.transferred())).isPositive();
    }
    return bytes.toByteArray();
  }

  private int refusal(FullHttpRequest request) {
    ask(request);
    FullHttpResponse response = channel.readOutbound();
    assertThat(response.headers().get("name")).isEqualTo("mapreduce");
    assertThat(response.headers().get("version")).isEqualTo("1.0.0");
    assertThat(response.headers().get("ReplyHash")).isNull();
    assertThat(response.headers().getInt("content-length"))
        .isEqualTo(response.content().readableBytes());
    assertThat(channel.isOpen()).isFalse();
    response.release();
    channel = connect();
    return response.status().code();
  }

  private int refusal(ShuffleRequest request) throws IOException {
    return refusal(request(HttpMethod.GET, request.pathAndQuery()));
  }

  private static long metric(String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource("OrchestraShuffleServer").getMetrics(collector, true);
    long sum = 0;
    for (MetricsRecord record : collector.getRecords()) {
      assertThat(record.context()).isEqualTo("mapred");
      for (AbstractMetric metric : record.metrics()) {
        sum += metric.name().equals(name) ? metric.value().longValue() : 0;
      }
    }
    return sum;
  }

  @Test
  void tellsTheReducersPartAndTheSumOverAllReducers() throws IOException {
    assertThat(sizesOf(sizes(1, ShuffledJob.attempt(1), ShuffledJob.attempt(2))))
        .containsExactly(
            new OutputSize(ShuffledJob.attempt(1), 9, 109, 14),
            new OutputSize(ShuffledJob.attempt(2), 2, 102, 6));
    channel = connect();
    assertThat(sizesOf(sizes(2, ShuffledJob.attempt(2), ShuffledJob.attempt(1))))
        .containsExactly(
            new OutputSize(ShuffledJob.attempt(2), 3, 103, 6),
            new OutputSize(ShuffledJob.attempt(1), 0, 100, 14));
    assertThat(metric("SizesAnswered")).isEqualTo(2);
  }

  @Test
  void leavesOutputsOutThatAreNotHereOrCannotBeRead() throws IOException {
    job.write(3, FIRST);
    Files.write(job.directory(3).resolve("file.out.index"), new byte[80]);
    job.write(4, new byte[][] {FIRST[0]});
    job.write(5, FIRST);
    SpillRecord nonsense = new SpillRecord(3);
    nonsense.putIndex(new IndexRecord(0, -1, 9), 1);
    job.write(ShuffledJob.attempt(5), nonsense);

    assertThat(
            sizesOf(
                sizes(
                    1,
                    MISSING,
                    ShuffledJob.attempt(3),
                    ShuffledJob.attempt(4),
                    ShuffledJob.attempt(5),
                    ShuffledJob.attempt(1))))
        .containsExactly(new OutputSize(ShuffledJob.attempt(1), 9, 109, 14));
  }

  @Test
  void tellsAsManySizesAtOnceAsStockSendsOutputs() throws IOException {
    for (int map = 0; map < SizesRequest.MOST_OUTPUTS; map++) {
      job.write(map, FIRST);
    }
    String[] outputs =
        IntStream.range(0, SizesRequest.MOST_OUTPUTS)
            .mapToObj(ShuffledJob::attempt)
            .toArray(String[]::new);
    assertThat(sizesOf(sizes(0, outputs))).hasSize(SizesRequest.MOST_OUTPUTS);
    channel = connect();
    String oneMore =
        sizes(0, outputs).pathAndQuery() + "," + ShuffledJob.attempt(SizesRequest.MOST_OUTPUTS);
    assertThat(refusal(request(HttpMethod.GET, oneMore))).isEqualTo(400);
  }

  @Test
  void sendsTheBytesOfARangeUpToTheEdgesOfThePart() throws IOException {
    assertThat(bytesOf(range(1, 1, 0, 9, 9))).isEqualTo(FIRST[1]);
    channel = connect();
    assertThat(bytesOf(range(1, 1, 0, 1, 9))).asString(UTF_8).isEqualTo("b");
    channel = connect();
    assertThat(bytesOf(range(1, 1, 8, 1, 9))).asString(UTF_8).isEqualTo("a");
    channel = connect();
    assertThat(bytesOf(range(1, 1, 3, 3, 9))).asString(UTF_8).isEqualTo("a b");
    channel = connect();
    assertThat(bytesOf(range(2, 2, 1, 2, 3))).asString(UTF_8).isEqualTo("45");
    assertThat(metric("RangesSent")).isEqualTo(5);
    assertThat(metric("BytesSent")).isEqualTo(9 + 1 + 1 + 3 + 2);
  }

  @Test
  void refusesARangeOfAPartThatHasAnotherLengthThanTheReducerThinks() throws IOException {
    assertThat(refusal(range(1, 1, 0, 5, 8))).isEqualTo(409);
    assertThat(refusal(range(1, 1, 0, 5, 10))).isEqualTo(409);
    assertThat(metric("RefusedChanged")).isEqualTo(2);
    assertThat(job.openFiles()).isEmpty();
  }

  @Test
  void refusesARangeOfWhatIsNotHere() throws IOException {
    assertThat(refusal(range(0, 99, 0, 5, 5))).isEqualTo(404);
    assertThat(refusal(range(3, 1, 0, 5, 5))).isEqualTo(404);
    Files.write(job.directory(1).resolve("file.out"), new byte[13]);
    assertThat(refusal(range(1, 1, 0, 9, 9))).isEqualTo(404);
    Files.delete(job.directory(1).resolve("file.out"));
    assertThat(refusal(range(1, 1, 0, 9, 9))).isEqualTo(404);
    assertThat(metric("RefusedNotHere")).isEqualTo(4);
    assertThat(job.openFiles()).isEmpty();
  }

  @Test
  void refusesWhatIsNotSignedWithTheJobsToken() throws IOException {
    String uri = range(1, 1, 0, 5, 9).pathAndQuery();
    FullHttpRequest unsigned = request(HttpMethod.GET, uri);
    unsigned.headers().remove("UrlHash");
    assertThat(refusal(unsigned)).isEqualTo(401);
    FullHttpRequest forged = request(HttpMethod.GET, uri);
    forged.headers().set("UrlHash", "c2VjcmV0");
    assertThat(refusal(forged)).isEqualTo(401);
    FullHttpRequest otherPort = request(HttpMethod.GET, uri);
    otherPort.headers().set("UrlHash", job.hash(PORT + 1, uri));
    assertThat(refusal(otherPort)).isEqualTo(401);
    assertThat(metric("RefusedForged")).isEqualTo(3);
  }

  @Test
  void refusesASignatureOfAnotherRequest() throws IOException {
    String signed = job.hash(PORT, range(1, 1, 0, 5, 9).pathAndQuery());
    for (ShuffleRequest other :
        List.of(
            range(1, 1, 0, 6, 9),
            range(1, 1, 1, 5, 9),
            range(1, 2, 0, 5, 9),
            range(0, 1, 0, 5, 9),
            sizes(1, ShuffledJob.attempt(1)))) {
      FullHttpRequest replayed = request(HttpMethod.GET, other.pathAndQuery());
      replayed.headers().set("UrlHash", signed);
      assertThat(refusal(replayed)).as("%s", other).isEqualTo(401);
    }
    FullHttpRequest otherPath =
        request(HttpMethod.GET, "/other" + range(1, 1, 0, 5, 9).pathAndQuery());
    otherPath.headers().set("UrlHash", signed);
    assertThat(refusal(otherPath)).isEqualTo(401);
  }

  @Test
  void refusesAJobThatItDoesNotKnowOrNoLongerKnows() throws IOException {
    ShuffleRequest unknown =
        new SizesRequest(
            "job_1700000000000_0002", 0, List.of("attempt_1700000000000_0002_m_000001_0"));
    assertThat(refusal(unknown)).isEqualTo(401);
    stock.forgetUser();
    assertThat(refusal(sizes(0, ShuffledJob.attempt(1)))).isEqualTo(401);
    assertThat(metric("RefusedUnknownJob")).isEqualTo(2);
  }

  @Test
  void refusesGarbageAndOtherVersions() throws IOException {
    for (String garbage :
        List.of(
            "?orchestra",
            "?orchestra=other&job=%s&reduce=0",
            "?orchestra=sizes&job=%s&reduce=0&outputs=../../../../etc",
            "?orchestra=range&job=%s&reduce=0&output=/etc/passwd&offset=0&length=1&part=1")) {
      String uri = "/mapOutput" + garbage.formatted(ShuffledJob.ID);
      assertThat(refusal(request(HttpMethod.GET, uri))).as(garbage).isEqualTo(400);
    }
    FullHttpRequest version =
        request(HttpMethod.GET, sizes(0, ShuffledJob.attempt(1)).pathAndQuery());
    version.headers().set("version", "2.0.0");
    assertThat(refusal(version)).isEqualTo(400);
    FullHttpRequest nameless =
        request(HttpMethod.GET, sizes(0, ShuffledJob.attempt(1)).pathAndQuery());
    nameless.headers().remove("name");
    assertThat(refusal(nameless)).isEqualTo(400);
    assertThat(metric("RefusedGarbage")).isEqualTo(6);
  }

  @Test
  void allElseReachesStockUntouched() throws IOException {
    String ours = sizes(0, ShuffledJob.attempt(1)).pathAndQuery();
    List<Object> messages =
        List.of(
            request(HttpMethod.GET, "/mapOutput?job=j&reduce=0&map=m"),
            request(HttpMethod.GET, "/mapOutput?job=orchestra&reduce=0&map=m"),
            request(HttpMethod.POST, ours),
            request(HttpMethod.GET, "/mapOutput?orchestra=%zz"),
            LastHttpContent.EMPTY_LAST_CONTENT);
    for (Object message : messages) {
      channel.writeInbound(message);
    }

    assertThat(reachedStock).hasSameSizeAs(messages);
    for (int i = 0; i < messages.size(); i++) {
      assertThat(reachedStock.get(i)).isSameAs(messages.get(i));
      assertThat(ReferenceCountUtil.refCnt(messages.get(i))).isEqualTo(1);
      ReferenceCountUtil.release(messages.get(i));
    }
    assertThat(channel.<Object>readOutbound()).isNull();
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
    EmbeddedChannel encrypted = connect(ssl, plaintext, new ChunkedWriteHandler());
    FullHttpRequest request = request(HttpMethod.GET, range(1, 1, 3, 6, 9).pathAndQuery());

    encrypted.writeInbound(request);

    assertThat(plaintext.messages).noneMatch(FileRegion.class::isInstance);
    assertThat(plaintext.messages.get(0)).isInstanceOf(HttpResponse.class);
    assertThat(plaintext.bytes.toByteArray()).isEqualTo(Arrays.copyOfRange(FIRST[1], 3, 9));
    assertThat(plaintext.messages).endsWith(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(job.openFiles()).isEmpty();
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
    EmbeddedChannel kept = connect(stuck);
    kept.pipeline().addLast(KeptAlive.timeout());
    kept.writeInbound(request(HttpMethod.GET, range(1, 1, 0, 9, 9).pathAndQuery()));
    assertThat(stuck.messages).hasSize(3);

    KeptAlive.idle(kept.pipeline());

    assertThat(kept.isOpen()).isTrue();
    stuck.messages.forEach(ReferenceCountUtil::release);
    kept.finishAndReleaseAll();
  }

  @Test
  void whatFollowsARequestOnItsConnectionIsDropped() throws IOException {
    Stuck stuck = new Stuck();
    EmbeddedChannel flooded = connect(stuck);
    flooded.writeInbound(request(HttpMethod.GET, range(1, 1, 0, 9, 9).pathAndQuery()));
    for (String uri : List.of(range(1, 1, 0, 9, 9).pathAndQuery(), "/mapOutput?map=stocks")) {
      FullHttpRequest next = request(HttpMethod.GET, uri);
      flooded.writeInbound(next);
      assertThat(next.refCnt()).isZero();
    }

    assertThat(job.openFiles()).hasSize(1);
    assertThat(stuck.messages).hasSize(3);
    assertThat(reachedStock).isEmpty();
    stuck.messages.forEach(ReferenceCountUtil::release);
    flooded.finishAndReleaseAll();
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
    channel = connect(new Broken());

    ask(range(1, 1, 0, 9, 9));

    assertThat(channel.isOpen()).isFalse();
    assertThat(metric("RangesBroken")).isEqualTo(1);
    assertThat(metric("BytesSent")).isZero();
    assertThat(job.openFiles()).isEmpty();
  }

  @Test
  void aConnectionThatHasEndedLeavesNoFileOpen() throws IOException {
    ChannelHandlerContext context = channel.pipeline().context(RequestHandler.class);
    RequestHandler handler = (RequestHandler) context.handler();
    assertThat(channel.close().isSuccess()).isTrue();

    handler.channelRead(context, request(HttpMethod.GET, range(1, 1, 0, 9, 9).pathAndQuery()));

    assertThat(metric("RangesBroken")).isEqualTo(1);
    assertThat(job.openFiles()).isEmpty();
  }

  @Test
  void failuresOfOursAreAnsweredAndNotThrown() throws IOException {
    RequestHandler failing =
        new RequestHandler(
            stock.context(),
            new RequestSignatures(
                stock.context().secretManager,
                stock.context().userRsrc,
                () -> {
                  throw new IllegalStateException("no port");
                }),
            new MapOutputs(stock.context()),
            new ShuffleServerMetrics(),
            new ShuffledJobs());
    channel = new EmbeddedChannel(failing);

    ask(sizes(0, ShuffledJob.attempt(1)));

    FullHttpResponse response = channel.readOutbound();
    assertThat(response.status().code()).isEqualTo(500);
    assertThatCode(channel::checkException).doesNotThrowAnyException();
    response.release();
  }

  @Test
  void aConnectionWithoutStocksHandlerIsLeftAlone() {
    EmbeddedChannel other = new EmbeddedChannel(DefaultChannelId.newInstance());

    assertThat(server.context().allChannels.add(other)).isTrue();

    assertThat(other.pipeline().get(RequestHandler.class)).isNull();
  }

  @Test
  void theServersEndIsThatOfItsConnectionsAndOfItsMetrics() {
    server.close();

    assertThat(channel.isOpen()).isFalse();
    assertThat(connect().isOpen()).isFalse();
    assertThat(DefaultMetricsSystem.instance().getSource("OrchestraShuffleServer")).isNull();
  }
}
