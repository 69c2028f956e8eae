package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A sender as one reducer sees it: what waits there, and how many lanes fetch from it. */
final class Sender<H, M> {
  private final H host;
  private final LaneLimits limits;
  private final Map<M, Size> sizes = new HashMap<>();

  /** What waits there and has a size, in the order in which it is fetched. */
  private final Deque<Part<M>> measured = new ArrayDeque<>();

  /** What waits there and has none. */
  private final Set<M> unmeasured = new LinkedHashSet<>();

  private Share load = Share.NONE;
  private long waiting;

  /** How many of the measured parts can be divided. */
  private int divisible;

  private long inFlight;
  private int lanes;
  private int mostWhole = Integer.MAX_VALUE;
  private boolean penalised;

  /** Whether it has failed, and nothing has come from it since. */
  private boolean suspect;

  /** Whether all is fetched whole from it. */
  private boolean undivided;

  private record Size(Share share, boolean divisible) {}

  Sender(H host, LaneLimits limits) {
    this.host = host;
    this.limits = limits;
  }

  void add(M output) {
    unmeasured.add(output);
  }

  /**
   * Only the first size of an output counts.
   *
   * @param rawLength bytes for this reducer, decompressed
   */
  void measure(M output, Share size, long rawLength) {
    boolean divisible = rawLength > limits.undivided();
    if (sizes.putIfAbsent(output, new Size(size, divisible)) == null) {
      load = load.plus(size);
      if (unmeasured.remove(output)) {
        enqueue(Part.whole(output, size.own()));
      }
    }
  }

  /** The output need not be fetched, or not from here; lanes that fetch it go on. */
  void forget(M output) {
    unmeasured.remove(output);
    List<Part<M>> gone = measured.stream().filter(part -> part.output().equals(output)).toList();
    gone.forEach(
        part -> {
          measured.remove(part);
          dequeued(part);
        });
    Size size = sizes.remove(output);
    if (size != null) {
      load = load.minus(size.share());
    }
  }

  void putBack(Part<M> part) {
    Size size = sizes.get(part.output());
    if (part.isMeasured()) {
      enqueue(part);
    } else if (size == null) {
      unmeasured.add(part.output());
    } else {
      enqueue(Part.whole(part.output(), size.share().own()));
    }
  }

  /** Ranges first: whoever reassembles their output holds memory for all of it. */
  private void enqueue(Part<M> part) {
    waiting += part.length();
    divisible += isDivisible(part) ? 1 : 0;
    if (part.whole()) {
      measured.addLast(part);
    } else {
      measured.addFirst(part);
    }
  }

  private Part<M> dequeue() {
    Part<M> part = measured.remove();
    dequeued(part);
    return part;
  }

  private void dequeued(Part<M> part) {
    waiting -= part.length();
    divisible -= isDivisible(part) ? 1 : 0;
  }

  private boolean isDivisible(Part<M> part) {
    return !part.whole() || (!undivided && sizes.get(part.output()).divisible());
  }

  void penalise(boolean on) {
    penalised = on;
  }

  void suspect(boolean on) {
    suspect = on;
  }

  /** Ranges that wait already are still handed out. */
  void undivide() {
    undivided = true;
    divisible = (int) measured.stream().filter(part -> !part.whole()).count();
  }

  boolean isUndivided() {
    return undivided;
  }

  void limitWhole(int most) {
    mostWhole = Math.min(mostWhole, most);
  }

  /** What its measured outputs have for this reducer and for all, fetched or not. */
  Share load() {
    return load;
  }

  /** How many of its outputs have a size. */
  int sizes() {
    return sizes.size();
  }

  int lanes() {
    return lanes;
  }

  /** Bytes that no lane fetches yet. */
  long waiting() {
    return waiting;
  }

  /**
   * Outputs of which nothing has been asked for yet.
   *
   * @param most how many of them
   */
  List<M> untouched(int most) {
    return Stream.concat(
            measured.stream().filter(Part::whole).map(Part::output), unmeasured.stream())
        .limit(most)
        .toList();
  }

  /** Whether others are to wait for it: not if nobody knows for how long. */
  boolean isWeighed() {
    return !penalised && !suspect && unmeasured.isEmpty() && waiting + inFlight > 0;
  }

  /** The most lanes that can fetch from here at once: an output that is not divided has one. */
  int attainable() {
    return divisible > 0
        ? Integer.MAX_VALUE
        : Math.min(lanes + measured.size(), Math.max(lanes, mostWhole));
  }

  /**
   * Bytes that this reducer has not got: b_ij. What lanes are fetching counts until they end.
   *
   * @param typical bytes that an output of unknown size counts
   */
  double remaining(double typical) {
    return waiting + inFlight + unmeasured.size() * typical;
  }

  /** Whether stock would fetch from here now. */
  boolean isIdle() {
    return !penalised && lanes == 0 && !(measured.isEmpty() && unmeasured.isEmpty());
  }

  /**
   * Whether a lane more can fetch from here: as many as there are parts, but one if sizes lack, or
   * if nobody knows whether anything comes.
   */
  boolean isAvailable() {
    return isIdle()
        || (!penalised && !suspect && !measured.isEmpty() && (divisible > 0 || lanes < mostWhole));
  }

  /**
   * Hands out what comes next. A lane is in use until {@link #end}.
   *
   * @param bytes to fetch; half as many again rather than leaving less than that of an output
   */
  Chunk<H, M> take(long bytes) {
    Chunk<H, M> chunk = new Chunk<>(host, next(bytes));
    inFlight += chunk.bytes();
    lanes++;
    return chunk;
  }

  private List<Part<M>> next(long bytes) {
    if (measured.isEmpty()) {
      return nextUnmeasured();
    }
    Part<M> first = measured.peek();
    boolean divide = isDivisible(first) && exceeds(first, bytes);
    return divide || !first.whole() ? List.of(cut(bytes)) : nextWhole(bytes);
  }

  private static boolean exceeds(Part<?> part, long bytes) {
    return part.length() - bytes > bytes / 2;
  }

  private Part<M> cut(long bytes) {
    Part<M> part = dequeue();
    if (!exceeds(part, bytes)) {
      return part;
    }
    enqueue(part.after(bytes));
    return part.first(bytes);
  }

  private List<Part<M>> nextWhole(long bytes) {
    List<Part<M>> parts = new ArrayList<>();
    long left = bytes;
    do {
      Part<M> part = dequeue();
      parts.add(part);
      left -= part.length();
    } while (parts.size() < limits.outputs()
        && !measured.isEmpty()
        && measured.peek().whole()
        && measured.peek().length() <= left);
    return parts;
  }

  private List<Part<M>> nextUnmeasured() {
    List<M> outputs = unmeasured.stream().limit(limits.outputs()).toList();
    outputs.forEach(unmeasured::remove);
    return outputs.stream().map(output -> Part.whole(output, Part.UNKNOWN)).toList();
  }

  /** A lane that fetched a chunk from here is free. */
  void end(Chunk<H, M> chunk) {
    checkState(lanes > 0, "no lane fetches from %s", host);
    lanes--;
    inFlight -= chunk.bytes();
  }
}
