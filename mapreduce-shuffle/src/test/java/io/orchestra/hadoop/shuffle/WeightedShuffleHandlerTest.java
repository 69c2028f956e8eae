package io.orchestra.hadoop.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import com.google.common.util.concurrent.Uninterruptibles;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.OutputSizes;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import io.orchestra.hadoop.shuffle.rpc.ShuffleRequest;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ManifestServices;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service as a NodeManager starts it, and HTTP clients. */
final class WeightedShuffleHandlerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final ObjectName JOBS = name();

  private static ObjectName name() {
    try {
      return new ObjectName("Hadoop:service=NodeManager,name=OrchestraShuffleJobs");
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  @TempDir Path directory;
  private final Configuration conf = new Configuration();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final byte[] part = new byte[100_000];
  private ShuffledJob job;
  private WeightedShuffleHandler service;
  private int port;

  @BeforeEach
  void writeOutputs() throws IOException {
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    new Random(1).nextBytes(part);
    job = new ShuffledJob(directory.resolve("local"));
    job.write(1, new byte[10], part);
    job.write(2, new byte[20], Arrays.copyOf(part, 50));
  }

  @AfterEach
  void stop() {
    service.stop();
  }

  private void start() throws IOException {
    create();
    beginJob();
  }

  private void beginJob() throws IOException {
    service.initializeApplication(
        new ApplicationInitializationContext(
            ShuffledJob.USER,
            ShuffledJob.APPLICATION,
            ShuffleHandler.serializeServiceData(job.token())));
  }

  private void create() throws IOException {
    service = new WeightedShuffleHandler();
    service.setAuxiliaryLocalPathHandler(job);
    service.setRecoveryPath(
        new org.apache.hadoop.fs.Path(
            Files.createDirectories(directory.resolve("recovery")).toString()));
    service.init(conf);
    service.start();
    port = ShuffleHandler.deserializeMetaData(service.getMetaData());
  }

  private HttpResponse<byte[]> get(String pathAndQuery) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + pathAndQuery))
            .header("name", "mapreduce")
            .header("version", "1.0.0")
            .header("UrlHash", job.hash(port, pathAndQuery))
            .timeout(PATIENCE)
            .build();
    return client.send(request, BodyHandlers.ofByteArray());
  }

  private byte[] answer(String pathAndQuery) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = get(pathAndQuery);
    assertThat(response.statusCode()).isEqualTo(200);
    job.verifyReply(response.headers().firstValue("ReplyHash").orElseThrow(), port, pathAndQuery);
    return response.body();
  }

  private byte[] answer(ShuffleRequest request) throws IOException, InterruptedException {
    return answer(request.pathAndQuery());
  }

  private static String stockRequest(int reduce, int map) {
    return "/mapOutput?job=%s&reduce=%d&map=%s"
        .formatted(ShuffledJob.ID, reduce, ShuffledJob.attempt(map));
  }

  private static byte[] stockAnswer(int reduce, int map, byte[] part) throws IOException {
    DataOutputBuffer header = new DataOutputBuffer();
    new ShuffleHeader(
            ShuffledJob.attempt(map),
            part.length,
            part.length + ShuffledJob.COMPRESSED_AWAY,
            reduce)
        .write(header);
    return Bytes.concat(Arrays.copyOf(header.getData(), header.getLength()), part);
  }

  private static SizesRequest sizes(int... maps) {
    return new SizesRequest(
        ShuffledJob.ID, 1, IntStream.of(maps).mapToObj(ShuffledJob::attempt).toList());
  }

  private static RangeRequest range(int map, long offset, long length, long part) {
    return new RangeRequest(ShuffledJob.ID, 1, ShuffledJob.attempt(map), offset, length, part);
  }

  @Test
  void servesWhatStockServes() throws IOException, InterruptedException {
    start();

    assertThat(answer(stockRequest(1, 1))).isEqualTo(stockAnswer(1, 1, part));
    assertThat(answer(stockRequest(0, 2))).isEqualTo(stockAnswer(0, 2, new byte[20]));
    assertThat(get("/mapOutput?job=" + ShuffledJob.ID + "&reduce=0").statusCode()).isEqualTo(400);
  }

  @Test
  void tellsSizesAndSendsRangesThatMakeUpThePart()
      throws IOException, InterruptedException, JMException {
    start();

    SizesRequest request = sizes(1, 2, 3);
    assertThat(OutputSizes.read(new ByteArrayInputStream(answer(request)), request))
        .containsExactly(
            new OutputSize(ShuffledJob.attempt(1), 100_000, 100_100, 100_010),
            new OutputSize(ShuffledJob.attempt(2), 50, 150, 70));
    assertThat(
            Bytes.concat(
                answer(range(1, 0, 1, 100_000)),
                answer(range(1, 1, 65_535, 100_000)),
                answer(range(1, 65_536, 34_464, 100_000))))
        .isEqualTo(part);
    noFileStaysOpen();
    assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(JOBS, "Jobs"))
        .asString()
        .contains(ShuffledJob.ID, "sizes=1", "ranges=3", "bytes=100000");
  }

  @Test
  void answersRefusalsWithTheirStatus() throws IOException, InterruptedException {
    start();

    assertThat(get(range(1, 0, 5, 99_999).pathAndQuery()).statusCode()).isEqualTo(409);
    assertThat(get(range(7, 0, 5, 5).pathAndQuery()).statusCode()).isEqualTo(404);
    assertThat(get("/mapOutput?orchestra=sizes").statusCode()).isEqualTo(400);
    service.stopApplication(new ApplicationTerminationContext(ShuffledJob.APPLICATION));
    assertThat(get(sizes(1).pathAndQuery()).statusCode()).isEqualTo(401);
  }

  /** As with stock: a signature says for what, and not when. */
  @Test
  void whatIsAskedAgainWithTheSameSignatureIsAnsweredUntilTheJobEnds()
      throws IOException, InterruptedException {
    start();
    for (String request : List.of(range(1, 5, 5, 100_000).pathAndQuery(), stockRequest(1, 1))) {
      assertThat(answer(request)).isEqualTo(answer(request));
    }

    service.stopApplication(new ApplicationTerminationContext(ShuffledJob.APPLICATION));
    assertThat(get(range(1, 5, 5, 100_000).pathAndQuery()).statusCode()).isEqualTo(401);
    assertThat(get(stockRequest(1, 1)).statusCode()).isEqualTo(401);
  }

  @Test
  void closesTheFileWhenTheReducerLeavesInTheMiddle() throws IOException, InterruptedException {
    // More than the two sockets buffer.
    byte[] large = new byte[64 << 20];
    job.write(3, new byte[0], large);
    start();
    String request = range(3, 0, large.length, large.length).pathAndQuery();

    try (Socket reducer = new Socket("localhost", port)) {
      reducer.setSoLinger(true, 0);
      ask(reducer, request);
      assertThat(reducer.getInputStream().readNBytes(10_000)).hasSize(10_000);
      assertThat(job.openFiles()).hasSize(1);
    }

    noFileStaysOpen();
    assertThat(answer(sizes(1))).isNotEmpty();
  }

  private void ask(Socket reducer, String request) throws IOException {
    reducer
        .getOutputStream()
        .write(
            """
            GET %s HTTP/1.1\r
            Host: localhost\r
            name: mapreduce\r
            version: 1.0.0\r
            UrlHash: %s\r
            \r
            """
                .formatted(request, job.hash(port, request))
                .getBytes(StandardCharsets.US_ASCII));
  }

  private void noFileStaysOpen() {
    Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(job.openFiles()).isEmpty());
  }

  @Test
  void knowsItsJobsAfterARestartOfTheNodeManager() throws IOException, InterruptedException {
    start();
    service.stop();

    create();

    assertThat(answer(range(1, 5, 5, 100_000))).isEqualTo(Arrays.copyOfRange(part, 5, 10));
  }

  @Test
  void isStockWhenItIsSwitchedOffOrCannotReadItsSettings()
      throws IOException, InterruptedException {
    for (String enabled : List.of("false", "perhaps")) {
      conf.set("orchestra.shuffle.enabled", enabled);
      start();

      assertThat(answer(stockRequest(1, 1))).isEqualTo(stockAnswer(1, 1, part));
      assertThat(get(sizes(1).pathAndQuery()).statusCode()).isEqualTo(400);
      assertThat(DefaultMetricsSystem.instance().getSource("OrchestraShuffleServer")).isNull();
      service.stop();
    }
  }

  @Test
  void isTheSameWhereAManifestDeclaresIt() throws IOException, InterruptedException {
    try (ManifestServices nodeManager = new ManifestServices(job)) {
      nodeManager.declare(
          ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID,
          WeightedShuffleHandler.class,
          Map.of(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, "0"));
      service = (WeightedShuffleHandler) nodeManager.service();
      port =
          ShuffleHandler.deserializeMetaData(
              nodeManager.metaData(ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID));
      beginJob();

      assertThat(answer(range(1, 5, 5, 100_000))).isEqualTo(Arrays.copyOfRange(part, 5, 10));
      assertThat(answer(stockRequest(1, 1))).isEqualTo(stockAnswer(1, 1, part));
    }
  }

  /** As in a class loader of its own, to which Hadoop does not forward it. */
  @Test
  void doesNotStartWhereItIsNotToldWhereMapOutputsAre() {
    service = new WeightedShuffleHandler();
    service.init(conf);

    assertThatIllegalStateException()
        .isThrownBy(service::start)
        .withMessageContaining("class loader of its own")
        .withMessageContaining("on the NodeManager's class path");
  }

  @Test
  void stopsWithoutHavingStarted() {
    service = new WeightedShuffleHandler();
    service.init(conf);

    service.stop();

    assertThat(service.getFailureCause()).isNull();
  }

  /** Whoever is cut off comes again at once, and waits only if he is refused. */
  @Test
  void thePortIsClosedBeforeConnectionsAre() throws IOException {
    conf.setInt(ShuffleHandler.SHUFFLE_CONNECTION_KEEP_ALIVE_TIME_OUT, 600);
    start();
    try (Socket reducer = new Socket("localhost", port)) {
      // The connection is kept after it: nothing but the end of the service closes it soon.
      ask(reducer, range(1, 0, 1, part.length).pathAndQuery());
      assertThat(reducer.getInputStream().read()).isEqualTo('H');
      Thread stopping = new Thread(service::stop);
      stopping.start();

      reducer.getInputStream().transferTo(OutputStream.nullOutputStream());

      assertThatThrownBy(() -> new Socket("localhost", port).close())
          .isInstanceOf(ConnectException.class);
      Uninterruptibles.joinUninterruptibly(stopping);
    }
  }
}
