package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.OutputSizes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SizeAskerTest {
  private static final String VERSION = ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION;

  /** Longer than a test. */
  private static final long NO_RETRY = 1_000_000;

  private static final String URL_PREFIX =
      "http://host:1/mapOutput?job=" + ShuffledJob.ID + "&reduce=0&map=";

  private final ShuffledJob job = new ShuffledJob(Path.of("unused"));
  private final AtomicLong now = new AtomicLong(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<TaskAttemptID, Optional<Sources.Size>> told = new ConcurrentHashMap<>();
  private final List<Integer> silentWhenTold = new CopyOnWriteArrayList<>();
  private volatile SizeAsker.Opener host;
  private int maps;
  private final Deadlines deadlines = new Deadlines();
  private SizeAsker asker = asker(NO_RETRY);

  private SizeAsker asker(long retryMillis) {
    return new SizeAsker(
        new TaskID(TaskAttemptID.forName(ShuffledJob.attempt(0)).getJobID(), TaskType.REDUCE, 0),
        url -> {
          asked.incrementAndGet();
          return host.open(url);
        },
        job.key(),
        (name, sizes) -> {
          silentWhenTold.add(asker.silentHosts());
          told.putAll(sizes);
        },
        deadlines,
        now::get,
        retryMillis);
  }

  @AfterEach
  void close() {
    asker.close();
    deadlines.close();
  }

  private void retriesSoon() {
    asker.close();
    asker = asker(1);
  }

  /** A response of a host that does not exist. */
  private static final class Response extends HttpURLConnection {
    private final int status;
    private final String version;
    private final String replyHash;
    private final byte[] body;

    Response(URL url, int status, String version, String replyHash, byte[] body) {
      super(url);
      this.status = status;
      this.version = version;
      this.replyHash = replyHash;
      this.body = body;
    }

    @Override
    public int getResponseCode() {
      return status;
    }

    @Override
    public String getResponseMessage() {
      return "";
    }

    @Override
    public String getHeaderField(String name) {
      return switch (name) {
        case SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH -> replyHash;
        case ShuffleHeader.HTTP_HEADER_NAME -> ShuffleHeader.DEFAULT_HTTP_HEADER_NAME;
        case ShuffleHeader.HTTP_HEADER_VERSION -> version;
        default -> null;
      };
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(body);
    }

    @Override
    public void connect() {}

    @Override
    public void disconnect() {}

    @Override
    public boolean usingProxy() {
      return false;
    }
  }

  private static SizeAsker.Opener status(int status) {
    return url -> new Response(url, status, VERSION, null, new byte[0]);
  }

  private SizeAsker.Opener healthy() {
    return healthy(VERSION);
  }

  private SizeAsker.Opener healthy(String version) {
    return url -> {
      Matcher attempts =
          Pattern.compile("attempt_[0-9]+_[0-9]+_m_[0-9]+_[0-9]+").matcher(url.getQuery());
      List<OutputSize> sizes =
          attempts.results().map(found -> new OutputSize(found.group(), 1, 1, 2)).toList();
      String hash =
          SecureShuffleUtils.hashFromString(SecureShuffleUtils.buildMsgFrom(url), job.key());
      String reply =
          SecureShuffleUtils.generateHash(hash.getBytes(StandardCharsets.UTF_8), job.key());
      return new Response(url, 200, version, reply, OutputSizes.write(sizes));
    };
  }

  /** Whether the sizes of so many outputs become known. */
  private boolean tells(SizeAsker.Opener how, int outputs) {
    host = how;
    List<TaskAttemptID> found =
        Stream.generate(() -> TaskAttemptID.forName(ShuffledJob.attempt(maps++)))
            .limit(outputs)
            .toList();
    // It collects what comes at once, however busy the machine is.
    synchronized (asker) {
      found.forEach(output -> asker.found("host:1", URL_PREFIX, output));
    }
    await().until(() -> told.keySet().containsAll(found));
    return found.stream().allMatch(output -> told.get(output).isPresent());
  }

  private boolean tells(SizeAsker.Opener how) {
    return tells(how, 1);
  }

  @Test
  void manyOutputsAreAskedForTwentyAtATime() {
    assertThat(tells(healthy(), 65)).isTrue();
    assertThat(asked.get()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void aBusyOrRestartingHostIsAskedForWhateverComesNext() {
    for (int time = 0; time < 5; time++) {
      assertThat(tells(status(429))).isFalse();
      assertThat(tells(refusing())).isFalse();
    }
    assertThat(tells(healthy())).isTrue();
    assertThat(asker.silentHosts()).isZero();
  }

  /** Its outputs are fetched meanwhile. */
  @Test
  void aHostThatDoesNotAnswerIsAskedAgain() {
    retriesSoon();
    for (SizeAsker.Opener how : List.of(refusing(), status(500))) {
      SizeAsker.Opener healthy = healthy();
      AtomicInteger failures = new AtomicInteger(2);
      boolean unused = tells(url -> (failures.getAndDecrement() > 0 ? how : healthy).open(url), 3);

      await().until(() -> told.values().stream().allMatch(Optional::isPresent));
    }
    assertThat(asker.silentHosts()).isZero();
  }

  @Test
  void aHostThatNeverAnswersIsAskedFourTimesHoweverManyOutputsItHas() {
    retriesSoon();
    for (SizeAsker.Opener how : List.of(refusing(), status(500))) {
      asked.set(0);
      assertThat(tells(how, 65)).isFalse();

      await().until(() -> asked.get() == 4);
      await().during(Duration.ofMillis(200)).until(() -> asked.get() == 4);
    }
  }

  @Test
  void whatAHostDidNotTellItIsAskedForAlsoWhenNewcomersAreNot() {
    asker.close();
    asker = asker(5000);
    for (int time = 0; time < 3; time++) {
      assertThat(tells(status(500))).isFalse();
    }
    assertThat(asker.silentHosts()).isEqualTo(1);

    host = healthy();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> told.values().stream().allMatch(Optional::isPresent));
  }

  private static SizeAsker.Opener refusing() {
    return url -> {
      throw new ConnectException("refused");
    };
  }

  @Test
  void anAnswerOfAnotherVersionIsNotUnderstood() {
    assertThat(tells(healthy("2.0.0"))).isFalse();
    assertThat(tells(healthy(null))).isFalse();
    assertThat(tells(healthy())).isTrue();
  }

  @Test
  void whatIsFoundAfterTheEndIsNotAskedFor() {
    asker.close();

    asker.found("host:1", URL_PREFIX, TaskAttemptID.forName(ShuffledJob.attempt(0)));

    assertThat(asked).hasValue(0);
  }

  @Test
  void aHostThatFailsThreeTimesInSuccessionIsLeftAloneForAWhile() {
    for (int time = 0; time < 3; time++) {
      assertThat(tells(status(500))).isFalse();
    }
    assertThat(tells(healthy())).isFalse();
    assertThat(asked).hasValue(3);
    assertThat(asker.silentHosts()).isEqualTo(1);

    now.addAndGet(SizeAsker.SILENCE_MILLIS);
    assertThat(tells(healthy())).isTrue();
    assertThat(asker.silentHosts()).isZero();
  }

  @Test
  void whoHearsOfAnAnswerFindsTheFailuresBeforeItForgiven() {
    for (int time = 0; time < 3; time++) {
      assertThat(tells(status(500))).isFalse();
    }
    now.addAndGet(SizeAsker.SILENCE_MILLIS);
    silentWhenTold.clear();

    assertThat(tells(healthy())).isTrue();
    assertThat(silentWhenTold.get(0)).isZero();
  }

  @Test
  void failuresFarApartAreForgiven() {
    for (int time = 0; time < 5; time++) {
      assertThat(tells(status(500))).isFalse();
      assertThat(tells(status(500))).isFalse();
      assertThat(tells(healthy())).isTrue();
    }
  }

  @Test
  void aHostWithStocksServiceIsLeftAloneAtOnce() {
    assertThat(tells(status(400))).isFalse();
    assertThat(tells(healthy())).isFalse();
    assertThat(asked).hasValue(1);
  }

  @Test
  void noOutputIsLostWhateverBreaks() {
    for (Breakage broken : Breakage.values()) {
      assertThat(
              tells(
                  url -> {
                    throw broken.get();
                  },
                  65))
          .isFalse();
    }
  }

  /** What can go wrong. */
  private enum Breakage {
    IO_EXCEPTION,
    BUG,
    MISSING_CLASS;

    IOException get() {
      return switch (this) {
        case IO_EXCEPTION -> new IOException("on purpose");
        case BUG -> throw new IllegalStateException("on purpose");
        case MISSING_CLASS -> throw new NoClassDefFoundError("on purpose");
      };
    }
  }
}
