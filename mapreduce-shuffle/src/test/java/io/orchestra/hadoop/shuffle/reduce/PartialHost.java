package io.orchestra.hadoop.shuffle.reduce;

import com.google.common.base.Splitter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.OutputSizes;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/** A host that knows the job, tells sizes, and does the rest badly. */
final class PartialHost implements AutoCloseable {
  /** How it answers a request for a range. */
  enum Range {
    NOTHING,
    FIRST_BYTES,
    /** A byte now and then: no read takes long. */
    DRIP
  }

  private final ShuffledJob job;
  private final Range ranges;
  private final Map<String, ShuffledJob.Part> told = new ConcurrentHashMap<>();
  private final Set<String> promised = ConcurrentHashMap.newKeySet();
  private final Set<String> served = ConcurrentHashMap.newKeySet();
  private final Set<String> askedInRanges = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  PartialHost(ShuffledJob job, Range ranges) throws IOException {
    this.job = job;
    this.ranges = ranges;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/mapOutput", this::answer);
    server.start();
  }

  /** How reducers are told of it. */
  String url() {
    return "http://localhost:" + port();
  }

  private int port() {
    return server.getAddress().getPort();
  }

  /** Tells the size of an output, but sends nothing of it. */
  void tell(String attempt, ShuffledJob.Part part) {
    told.put(attempt, part);
  }

  /** Tells the size of an output, and sends its header and no more to who asks for all of it. */
  void promise(String attempt, ShuffledJob.Part part) {
    told.put(attempt, part);
    promised.add(attempt);
  }

  /** Tells the size of an output, and sends it to who asks for all of it. */
  void serve(String attempt, ShuffledJob.Part part) {
    told.put(attempt, part);
    served.add(attempt);
  }

  /** Outputs of which somebody has wanted ranges. */
  Set<String> askedInRanges() {
    return askedInRanges;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, List<String>> query =
          new QueryStringDecoder(exchange.getRequestURI().toString()).parameters();
      if (query.containsKey("outputs")) {
        byte[] sizes = OutputSizes.write(sizes(query.get("outputs").get(0)));
        begin(exchange, sizes.length).write(sizes);
      } else if (query.containsKey("output")) {
        askedInRanges.add(query.get("output").get(0));
        sendRange(exchange, Long.parseLong(query.get("length").get(0)));
      } else {
        send(exchange, Splitter.on(',').splitToList(query.get("map").get(0)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<OutputSize> sizes(String outputs) {
    return Splitter.on(',')
        .splitToStream(outputs)
        .map(output -> size(output, told.get(output)))
        .toList();
  }

  private static OutputSize size(String output, ShuffledJob.Part part) {
    int length = part.bytes().length;
    return new OutputSize(output, length, part.rawLength(), length);
  }

  private void sendRange(HttpExchange exchange, long length)
      throws IOException, InterruptedException {
    if (ranges == Range.NOTHING) {
      closed.await();
      return;
    }
    OutputStream body = begin(exchange, length);
    do {
      body.write(0);
      body.flush();
    } while (!closed.await(100, TimeUnit.MILLISECONDS) && ranges == Range.DRIP);
    closed.await();
  }

  private void send(HttpExchange exchange, List<String> outputs)
      throws IOException, InterruptedException {
    DataOutputStream body = new DataOutputStream(begin(exchange, 0));
    for (String output : outputs) {
      ShuffledJob.Part part = told.get(output);
      if (served.contains(output) || promised.contains(output)) {
        new ShuffleHeader(output, part.bytes().length, part.rawLength(), 0).write(body);
      }
      if (!served.contains(output)) {
        body.flush();
        closed.await();
        return;
      }
      body.write(part.bytes());
    }
    body.flush();
  }

  /**
   * @param length of the body; 0 if that is not known
   */
  private OutputStream begin(HttpExchange exchange, long length) throws IOException {
    String hash = job.hash(port(), exchange.getRequestURI().toString());
    String reply =
        SecureShuffleUtils.generateHash(hash.getBytes(StandardCharsets.UTF_8), job.key());
    exchange.getResponseHeaders().add(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH, reply);
    exchange
        .getResponseHeaders()
        .add(ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME);
    exchange
        .getResponseHeaders()
        .add(ShuffleHeader.HTTP_HEADER_VERSION, ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
    exchange.sendResponseHeaders(200, length);
    return exchange.getResponseBody();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
