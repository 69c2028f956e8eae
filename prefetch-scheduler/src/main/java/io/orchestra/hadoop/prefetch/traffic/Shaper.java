package io.orchestra.hadoop.prefetch.traffic;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a {@link TrafficHelper}. Of each slot it knows what is wanted and what the helper has done:
 * what one has refused is asked for again with the next change, and one that was started anew is
 * told everything again. Without one flows go on without a minimum rate. Safe for concurrent use;
 * nobody waits for an answer.
 */
public final class Shaper implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Shaper.class);

  /** As a helper names the one device of its host. */
  public static final String HOST_PORT = "host";

  /** Longer than a helper waits for tc. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final String DONE = "ok";

  private record Slot(String port, int number) {
    private static Slot of(Shape shape) {
      return new Slot(shape.port(), shape.slot());
    }
  }

  /**
   * What a helper last said of a port.
   *
   * @param askedAt nanoseconds
   */
  private record Answer(boolean isGood, long askedAt) {}

  private final Path socket;
  private final Duration limit;
  private final long kept;
  private final RateLimiter warnings = RateLimiter.create(1.0 / 60);

  /** Discards only after its end. */
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new ThreadFactoryBuilder().setNameFormat("orchestra-shaper").setDaemon(true).build(),
          new ThreadPoolExecutor.DiscardPolicy());

  /** An Error that gets out of a thread ends a ResourceManager (YarnUncaughtExceptionHandler). */
  private final GuardedTask catchingUp =
      new GuardedTask("Telling rates to the traffic helper", this::catchUp);

  // Guarded by this.
  private final Map<Slot, Shape> wanted = new LinkedHashMap<>();
  private final Map<Slot, Shape> done = new HashMap<>();
  private final Map<String, Answer> answers = new HashMap<>();
  private final Set<String> unsure = new HashSet<>();
  private boolean isForgotten;
  private boolean isWoken;

  // Used by the thread.
  private HelperConnection connection;
  private boolean failing;

  /**
   * @param socket of the helper; nothing is connected yet
   */
  public Shaper(Path socket) {
    this(socket, LONGEST, KEPT);
  }

  /**
   * @param limit for each of its answers
   * @param kept for how long one is believed
   */
  @VisibleForTesting
  Shaper(Path socket, Duration limit, Duration kept) {
    this.socket = socket;
    this.limit = limit;
    this.kept = kept.toNanos();
  }

  /** Asks for it in the place of what was wanted of its slot; returns at once. */
  public synchronized void apply(Shape shape) {
    wanted.put(Slot.of(shape), shape);
    wake();
  }

  /** Ends all that was asked for before; returns at once. */
  public synchronized void forget() {
    wanted.clear();
    isForgotten = true;
    wake();
  }

  /**
   * Whether the helper has done what it was last asked of a port. Nobody is known to at first: who
   * asks has it found out, and again every few seconds.
   */
  public synchronized boolean shapes(String port) {
    long now = System.nanoTime();
    Answer last = answers.get(port);
    if (last == null || now - last.askedAt() > kept) {
      answers.put(port, new Answer(last != null && last.isGood(), now));
      unsure.add(port);
      wake();
    }
    return answers.get(port).isGood();
  }

  private void wake() {
    if (!isWoken) {
      thread.execute(catchingUp);
      isWoken = true;
    }
  }

  /**
   * Waits for its turn: the thread may still be busy with what was asked before.
   *
   * @return whether it was done
   */
  @VisibleForTesting
  boolean applyNow(Shape shape) {
    synchronized (this) {
      wanted.put(Slot.of(shape), shape);
    }
    Object unused = Futures.getUnchecked(thread.submit(this::catchUp));
    return !undone().contains(shape);
  }

  private void catchUp() {
    if (begin()) {
      // From the end of the connection the helper sees it.
      disconnect();
    }
    boolean isOld = connection != null;
    try {
      tellAll();
    } catch (IOException e) {
      disconnect();
      if (isOld) {
        catchUp();
      } else {
        failed(e);
      }
    } catch (RuntimeException | Error e) {
      // What the helper answers yet would be taken for its answer to the next line.
      disconnect();
      throw e;
    }
  }

  /**
   * @return whether all before is to end
   */
  private synchronized boolean begin() {
    boolean ends = isForgotten;
    isForgotten = false;
    isWoken = false;
    return ends;
  }

  private void tellAll() throws IOException {
    for (Shape shape : undone()) {
      told(shape, ask(shape));
    }
    for (Shape question : questions()) {
      told(question.port(), ask(question));
    }
  }

  /** What one flow gives up comes before what another one gets. */
  private synchronized List<Shape> undone() {
    return wanted.values().stream()
        .filter(shape -> !shape.equals(done.get(Slot.of(shape))))
        .sorted(Comparator.comparingLong(this::growth))
        .toList();
  }

  private long growth(Shape shape) {
    Shape before = done.get(Slot.of(shape));
    return shape.bitsPerSecond() - (before == null ? 0 : before.bitsPerSecond());
  }

  private synchronized List<Shape> questions() {
    return unsure.stream().flatMap(port -> question(port).stream()).toList();
  }

  /**
   * The end of a rate that there is not, or, if all slots are in use, a rate that there is: they
   * bring an answer, and change nothing.
   */
  private Optional<Shape> question(String port) {
    return free(port)
        .mapToObj(slot -> Shape.clear(port, slot))
        .findFirst()
        .or(() -> done.values().stream().filter(shape -> shape.port().equals(port)).findFirst());
  }

  private IntStream free(String port) {
    return IntStream.rangeClosed(1, Shape.SLOTS)
        .filter(number -> !done.containsKey(new Slot(port, number)))
        .filter(number -> !wanted.containsKey(new Slot(port, number)));
  }

  private synchronized void told(Shape shape, String answer) {
    Slot slot = Slot.of(shape);
    answered(shape.port(), answer);
    if (!answer.equals(DONE)) {
      done.remove(slot);
      if (warnings.tryAcquire()) {
        LOG.warn("{} on {} is {} (told at most once a minute)", shape, socket, answer);
      }
    } else if (shape.isClear()) {
      done.remove(slot);
      wanted.remove(slot, shape);
    } else {
      done.put(slot, shape);
    }
  }

  /**
   * @param answer to a question
   */
  private synchronized void told(String port, String answer) {
    answered(port, answer);
    boolean isMissed =
        !answer.equals(DONE) && done.values().stream().anyMatch(shape -> shape.port().equals(port));
    if (isMissed && warnings.tryAcquire()) {
      LOG.warn(
          "Rates are not guaranteed: {} on {} is {} (told at most once a minute)",
          port,
          socket,
          answer);
    }
  }

  private synchronized void answered(String port, String answer) {
    answers.put(port, new Answer(answer.equals(DONE), System.nanoTime()));
    unsure.remove(port);
  }

  private String ask(Shape shape) throws IOException {
    if (connection == null) {
      connection = HelperConnection.to(socket, limit);
    }
    String answer = connection.ask(shape.line());
    failing = false;
    return answer;
  }

  private void failed(IOException cause) {
    boolean isMissed;
    synchronized (this) {
      answers.replaceAll((port, last) -> new Answer(false, last.askedAt()));
      isMissed = wanted.values().stream().anyMatch(shape -> !shape.isClear());
    }
    if (isMissed && !failing && !thread.isShutdown()) {
      failing = true;
      LOG.warn(
          "Rates are not guaranteed: no traffic helper answers on {}: {}", socket, cause, cause);
    }
  }

  private void disconnect() {
    synchronized (this) {
      done.clear();
    }
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        LOG.debug("A connection did not end cleanly", e);
      }
      connection = null;
    }
  }

  /** All it has asked for ends. */
  @Override
  public void close() {
    // Whoever waits for an answer is interrupted.
    thread.shutdownNow();
    try {
      if (thread.awaitTermination(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
        disconnect();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
