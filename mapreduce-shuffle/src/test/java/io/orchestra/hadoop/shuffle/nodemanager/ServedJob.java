package io.orchestra.hadoop.shuffle.nodemanager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.FadvisedFileRegion;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Our handler in front of stock's, with stock's own caches, on a connection of memory. */
final class ServedJob implements AutoCloseable {
  static final int PORT = 13562;
  static final byte[][] FIRST = {"alpha".getBytes(UTF_8), "beta beta".getBytes(UTF_8), new byte[0]};
  static final byte[][] SECOND = {"0".getBytes(UTF_8), "12".getBytes(UTF_8), "345".getBytes(UTF_8)};

  private final List<Object> reachedStock = new ArrayList<>();
  private final ShuffledJob job;
  private final StockShuffle stock;
  private final ShuffleServer server;
  private EmbeddedChannel channel;

  /**
   * @param directory for outputs of two maps, numbers 1 and 2, with parts for three reducers
   */
  ServedJob(Path directory) throws IOException {
    job = new ShuffledJob(directory);
    job.write(1, FIRST);
    job.write(2, SECOND);
    stock = StockShuffle.with(job);
    server = ShuffleServer.open(stock.context());
    server.context().port = PORT;
    channel = connect();
  }

  ShuffledJob job() {
    return job;
  }

  StockShuffle stock() {
    return stock;
  }

  ShuffleServer server() {
    return server;
  }

  /** The connection on which is asked. */
  EmbeddedChannel channel() {
    return channel;
  }

  /** What stock's handler has got. */
  List<Object> reachedStock() {
    return reachedStock;
  }

  void reconnect(ChannelHandler... below) {
    channel = connect(below);
  }

  void use(EmbeddedChannel other) {
    channel = other;
  }

  @Override
  public void close() {
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

  EmbeddedChannel connect(ChannelHandler... below) {
    EmbeddedChannel connection = new EmbeddedChannel(below);
    connection.pipeline().addLast("shuffle", new Stock());
    server.context().allChannels.add(connection);
    return connection;
  }

  FullHttpRequest request(HttpMethod method, String pathAndQuery) throws IOException {
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

  void ask(FullHttpRequest request) {
    channel.writeInbound(request);
    assertThat(request.refCnt()).isZero();
    assertThat(reachedStock).isEmpty();
  }

  void ask(ShuffleRequest request) throws IOException {
    ask(request(HttpMethod.GET, request.pathAndQuery()));
  }

  static SizesRequest sizes(int reduce, String... outputs) {
    return new SizesRequest(ShuffledJob.ID, reduce, List.of(outputs));
  }

  static RangeRequest range(int reduce, int map, long offset, long length, long part) {
    return new RangeRequest(ShuffledJob.ID, reduce, ShuffledJob.attempt(map), offset, length, part);
  }

  List<OutputSize> sizesOf(SizesRequest request) throws IOException {
    ask(request);
    FullHttpResponse response = channel.readOutbound();
    assertThat(response.status().code()).isEqualTo(200);
    verifyHead(response, request, response.content().readableBytes());
    assertThat(response.headers().get("connection")).isEqualTo("close");
    try (ByteBufInputStream body = new ByteBufInputStream(response.content(), true)) {
      return OutputSizes.read(body, request);
    }
  }

  void verifyHead(HttpResponse response, ShuffleRequest request, long length) throws IOException {
    assertThat(response.headers().get("name")).isEqualTo("mapreduce");
    assertThat(response.headers().get("version")).isEqualTo("1.0.0");
    assertThat(response.headers().get("content-length")).isEqualTo(Long.toString(length));
    job.verifyReply(response.headers().get("ReplyHash"), PORT, request.pathAndQuery());
  }

  byte[] bytesOf(RangeRequest request) throws IOException {
    ask(request);
    HttpResponse head = channel.readOutbound();
    assertThat(head.status().code()).isEqualTo(200);
    verifyHead(head, request, request.length());
    assertThat(head.headers().get("connection")).isEqualTo("keep-alive");
    FadvisedFileRegion body = channel.readOutbound();
    byte[] bytes = bytes(body);
    assertThat(job.openFiles()).hasSize(1);
    body.release();
    assertThat(job.openFiles()).isEmpty();
    assertThat(channel.<Object>readOutbound()).isEqualTo(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(channel.isOpen()).as("for the next range").isTrue();
    return bytes;
  }

  static byte[] bytes(FileRegion region) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableByteChannel target = Channels.newChannel(bytes);
    while (region.transferred() < region.count()) {
      assertThat(region.transferTo(target, region.transferred())).isPositive();
    }
    return bytes.toByteArray();
  }

  int refusal(FullHttpRequest request) {
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

  int refusal(ShuffleRequest request) throws IOException {
    return refusal(request(HttpMethod.GET, request.pathAndQuery()));
  }

  static long metric(String name) {
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
}
