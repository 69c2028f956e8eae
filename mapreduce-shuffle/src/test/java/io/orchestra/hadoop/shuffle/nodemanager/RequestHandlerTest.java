package io.orchestra.hadoop.shuffle.nodemanager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.ShuffleRequest;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.SpillRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is answered, what is refused, and what is left to stock. */
final class RequestHandlerTest {
  private static final String MISSING = ShuffledJob.attempt(99);

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

  @Test
  void tellsTheReducersPartAndTheSumOverAllReducers() throws IOException {
    assertThat(served.sizesOf(ServedJob.sizes(1, ShuffledJob.attempt(1), ShuffledJob.attempt(2))))
        .containsExactly(
            new OutputSize(ShuffledJob.attempt(1), 9, 109, 14),
            new OutputSize(ShuffledJob.attempt(2), 2, 102, 6));
    served.reconnect();
    assertThat(served.sizesOf(ServedJob.sizes(2, ShuffledJob.attempt(2), ShuffledJob.attempt(1))))
        .containsExactly(
            new OutputSize(ShuffledJob.attempt(2), 3, 103, 6),
            new OutputSize(ShuffledJob.attempt(1), 0, 100, 14));
    assertThat(ServedJob.metric("SizesAnswered")).isEqualTo(2);
  }

  @Test
  void leavesOutputsOutThatAreNotHereOrCannotBeRead() throws IOException {
    served.job().write(3, ServedJob.FIRST);
    Files.write(served.job().directory(3).resolve("file.out.index"), new byte[80]);
    served.job().write(4, new byte[][] {ServedJob.FIRST[0]});
    served.job().write(5, ServedJob.FIRST);
    SpillRecord nonsense = new SpillRecord(3);
    nonsense.putIndex(new IndexRecord(0, -1, 9), 1);
    served.job().write(ShuffledJob.attempt(5), nonsense);

    assertThat(
            served.sizesOf(
                ServedJob.sizes(
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
      served.job().write(map, ServedJob.FIRST);
    }
    String[] outputs =
        IntStream.range(0, SizesRequest.MOST_OUTPUTS)
            .mapToObj(ShuffledJob::attempt)
            .toArray(String[]::new);
    assertThat(served.sizesOf(ServedJob.sizes(0, outputs))).hasSize(SizesRequest.MOST_OUTPUTS);
    served.reconnect();
    String oneMore =
        ServedJob.sizes(0, outputs).pathAndQuery()
            + ","
            + ShuffledJob.attempt(SizesRequest.MOST_OUTPUTS);
    assertThat(served.refusal(served.request(HttpMethod.GET, oneMore))).isEqualTo(400);
  }

  @Test
  void sendsTheBytesOfARangeUpToTheEdgesOfThePart() throws IOException {
    assertThat(served.bytesOf(ServedJob.range(1, 1, 0, 9, 9))).isEqualTo(ServedJob.FIRST[1]);
    served.reconnect();
    assertThat(served.bytesOf(ServedJob.range(1, 1, 0, 1, 9))).asString(UTF_8).isEqualTo("b");
    served.reconnect();
    assertThat(served.bytesOf(ServedJob.range(1, 1, 8, 1, 9))).asString(UTF_8).isEqualTo("a");
    served.reconnect();
    assertThat(served.bytesOf(ServedJob.range(1, 1, 3, 3, 9))).asString(UTF_8).isEqualTo("a b");
    served.reconnect();
    assertThat(served.bytesOf(ServedJob.range(2, 2, 1, 2, 3))).asString(UTF_8).isEqualTo("45");
    assertThat(ServedJob.metric("RangesSent")).isEqualTo(5);
    assertThat(ServedJob.metric("BytesSent")).isEqualTo(9 + 1 + 1 + 3 + 2);
  }

  @Test
  void refusesARangeOfAPartThatHasAnotherLengthThanTheReducerThinks() throws IOException {
    assertThat(served.refusal(ServedJob.range(1, 1, 0, 5, 8))).isEqualTo(409);
    assertThat(served.refusal(ServedJob.range(1, 1, 0, 5, 10))).isEqualTo(409);
    assertThat(ServedJob.metric("RefusedChanged")).isEqualTo(2);
    assertThat(served.job().openFiles()).isEmpty();
  }

  @Test
  void refusesARangeOfWhatIsNotHere() throws IOException {
    assertThat(served.refusal(ServedJob.range(0, 99, 0, 5, 5))).isEqualTo(404);
    assertThat(served.refusal(ServedJob.range(3, 1, 0, 5, 5))).isEqualTo(404);
    Files.write(served.job().directory(1).resolve("file.out"), new byte[13]);
    assertThat(served.refusal(ServedJob.range(1, 1, 0, 9, 9))).isEqualTo(404);
    Files.delete(served.job().directory(1).resolve("file.out"));
    assertThat(served.refusal(ServedJob.range(1, 1, 0, 9, 9))).isEqualTo(404);
    assertThat(ServedJob.metric("RefusedNotHere")).isEqualTo(4);
    assertThat(served.job().openFiles()).isEmpty();
  }

  /** Users write their indexes themselves: it is no fault of ours. */
  @Test
  void refusesARangeThatAnIndexPutsBeforeTheBeginningOfTheFile() throws IOException {
    served.job().write(3, ServedJob.FIRST);
    SpillRecord nonsense = new SpillRecord(3);
    nonsense.putIndex(new IndexRecord(-1, 109, 9), 0);
    nonsense.putIndex(new IndexRecord(Long.MAX_VALUE, 109, 9), 1);
    served.job().write(ShuffledJob.attempt(3), nonsense);

    assertThat(served.refusal(ServedJob.range(0, 3, 0, 9, 9))).isEqualTo(404);
    assertThat(served.refusal(ServedJob.range(1, 3, 1, 8, 9)))
        .as("the sum with the offset is too large for a number")
        .isEqualTo(404);
    assertThat(ServedJob.metric("RefusedNotHere")).isEqualTo(2);
    assertThat(ServedJob.metric("RefusedFailed")).isZero();
    assertThat(served.job().openFiles()).isEmpty();
  }

  @Test
  void refusesWhatIsNotSignedWithTheJobsToken() throws IOException {
    String uri = ServedJob.range(1, 1, 0, 5, 9).pathAndQuery();
    FullHttpRequest unsigned = served.request(HttpMethod.GET, uri);
    unsigned.headers().remove("UrlHash");
    assertThat(served.refusal(unsigned)).isEqualTo(401);
    FullHttpRequest forged = served.request(HttpMethod.GET, uri);
    forged.headers().set("UrlHash", "c2VjcmV0");
    assertThat(served.refusal(forged)).isEqualTo(401);
    FullHttpRequest otherPort = served.request(HttpMethod.GET, uri);
    otherPort.headers().set("UrlHash", served.job().hash(ServedJob.PORT + 1, uri));
    assertThat(served.refusal(otherPort)).isEqualTo(401);
    assertThat(ServedJob.metric("RefusedForged")).isEqualTo(3);
  }

  @Test
  void refusesASignatureOfAnotherRequest() throws IOException {
    String signed =
        served.job().hash(ServedJob.PORT, ServedJob.range(1, 1, 0, 5, 9).pathAndQuery());
    for (ShuffleRequest other :
        List.of(
            ServedJob.range(1, 1, 0, 6, 9),
            ServedJob.range(1, 1, 1, 5, 9),
            ServedJob.range(1, 2, 0, 5, 9),
            ServedJob.range(0, 1, 0, 5, 9),
            ServedJob.sizes(1, ShuffledJob.attempt(1)))) {
      FullHttpRequest replayed = served.request(HttpMethod.GET, other.pathAndQuery());
      replayed.headers().set("UrlHash", signed);
      assertThat(served.refusal(replayed)).as("%s", other).isEqualTo(401);
    }
    FullHttpRequest otherPath =
        served.request(HttpMethod.GET, "/other" + ServedJob.range(1, 1, 0, 5, 9).pathAndQuery());
    otherPath.headers().set("UrlHash", signed);
    assertThat(served.refusal(otherPath)).isEqualTo(401);
  }

  @Test
  void refusesAJobThatItDoesNotKnowOrNoLongerKnows() throws IOException {
    ShuffleRequest unknown =
        new SizesRequest(
            "job_1700000000000_0002", 0, List.of("attempt_1700000000000_0002_m_000001_0"));
    assertThat(served.refusal(unknown)).isEqualTo(401);
    served.stock().forgetUser();
    assertThat(served.refusal(ServedJob.sizes(0, ShuffledJob.attempt(1)))).isEqualTo(401);
    assertThat(ServedJob.metric("RefusedUnknownJob")).isEqualTo(2);
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
      assertThat(served.refusal(served.request(HttpMethod.GET, uri))).as(garbage).isEqualTo(400);
    }
    FullHttpRequest version =
        served.request(HttpMethod.GET, ServedJob.sizes(0, ShuffledJob.attempt(1)).pathAndQuery());
    version.headers().set("version", "2.0.0");
    assertThat(served.refusal(version)).isEqualTo(400);
    FullHttpRequest nameless =
        served.request(HttpMethod.GET, ServedJob.sizes(0, ShuffledJob.attempt(1)).pathAndQuery());
    nameless.headers().remove("name");
    assertThat(served.refusal(nameless)).isEqualTo(400);
    assertThat(ServedJob.metric("RefusedGarbage")).isEqualTo(6);
  }

  @Test
  void allElseReachesStockUntouched() throws IOException {
    String ours = ServedJob.sizes(0, ShuffledJob.attempt(1)).pathAndQuery();
    List<Object> messages =
        List.of(
            served.request(HttpMethod.GET, "/mapOutput?job=j&reduce=0&map=m"),
            served.request(HttpMethod.GET, "/mapOutput?job=orchestra&reduce=0&map=m"),
            served.request(HttpMethod.POST, ours),
            served.request(HttpMethod.GET, "/mapOutput?orchestra=%zz"),
            LastHttpContent.EMPTY_LAST_CONTENT);
    for (Object message : messages) {
      served.channel().writeInbound(message);
    }

    assertThat(served.reachedStock()).hasSameSizeAs(messages);
    for (int i = 0; i < messages.size(); i++) {
      assertThat(served.reachedStock().get(i)).isSameAs(messages.get(i));
      assertThat(ReferenceCountUtil.refCnt(messages.get(i))).isEqualTo(1);
      ReferenceCountUtil.release(messages.get(i));
    }
    assertThat(served.channel().<Object>readOutbound()).isNull();
  }
}
