package io.orchestra.hadoop.shuffle.algorithm;

import com.google.common.primitives.Ints;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A sender as one reducer sees it: what waits there, and how many lanes fetch from it. */
final class Sender<H, M> {
  private final H host;
  private final LaneLimits limits;
  private final Map<M, Size> sizes = new HashMap<>();

  /** What waits there and has a size, in the order in which it is fetched: ranges first. */
  private final Deque<Part<M>> measured = new ArrayDeque<>();

  /** What waits there and has none. */
  private final Set<M> unmeasured = new LinkedHashSet<>();

  private Share load = Share.NONE;
  private long waiting;

  /** How many of the measured parts can be divided. */
  private int divisible;

  private long inFlight;
  private final Holdings<H, M> holdings = new Holdings<>();

  /** The largest output in memory, bytes. */
  private long largest;

  private boolean penalised;

  /** Whether it has failed, and nothing has come from it since. */
  private boolean suspect;

  /** Whether whole outputs met the failure. */
  private boolean tried;

  /** Whether all is fetched whole from it. */
  private boolean undivided;

  /**
   * @param memory bytes that the output holds from its first byte on
   */
  private record Size(Share share, boolean divisible, long memory) {}

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
    long memory = limits.memory().held(rawLength);
    Size told = new Size(size, rawLength > limits.undivided(), memory);
    if (sizes.putIfAbsent(output, told) == null) {
      load = load.plus(size);
      largest = Math.max(largest, memory);
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
    holdings.settle(output);
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

  /** What its outputs that are under way hold of the reducer's memory. */
  Holdings<H, M> holdings() {
    return holdings;
  }

  private long memory(M output) {
    Size size = sizes.get(output);
    return size == null ? 0 : size.memory();
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

  void suspect() {
    suspect = true;
    tried = false;
  }

  /** It has failed with whole outputs. */
  void accuse() {
    suspect = true;
    tried = true;
  }

  void acquit() {
    suspect = false;
  }

  /** Whether it has failed, nothing has come from it since, and something is to. */
  boolean isSuspect() {
    return suspect && (lanes() > 0 || hasMore());
  }

  /** Ranges that wait already are still handed out. */
  void undivide() {
    undivided = true;
    divisible = (int) measured.stream().filter(part -> !part.whole()).count();
  }

  boolean isUndivided() {
    return undivided;
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
    return holdings.lanes();
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
    return isAnswering() && unmeasured.isEmpty() && waiting + inFlight > 0;
  }

  /** Whether it has not failed, or something has come from it since. */
  boolean isAnswering() {
    return !penalised && !suspect;
  }

  /** The most lanes that can fetch from here at once: an output that is not divided has one. */
  int attainable() {
    if (divisible > 0) {
      return Integer.MAX_VALUE;
    }
    long most = largest == 0 ? Integer.MAX_VALUE : limits.memory().mostHeldWhole() / largest;
    return Ints.saturatedCast(Math.min(lanes() + measured.size(), Math.max(lanes(), most)));
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
    return !penalised && lanes() == 0 && hasMore();
  }

  /** Whether there are outputs, or parts, that no lane fetches yet. */
  boolean hasMore() {
    return !(measured.isEmpty() && unmeasured.isEmpty());
  }

  /**
   * Whether a lane more can fetch from here: as many as there are parts, but one if sizes lack, or
   * if nobody knows whether anything comes.
   *
   * @param room whether there is memory for outputs that have not been begun
   */
  boolean isAvailable(boolean room) {
    return isIdle()
        ? next(room).isPresent() || (room && !unmeasured.isEmpty())
        : isAnswering() && next(room).isPresent();
  }

  /**
   * What is to be fetched first of what may be now. From a sender that has failed it is nothing
   * that has not been begun as long as outputs without a size wait, unless it has failed with such
   * ones: an output whose range met the failure is one of them, comes whole, and tells whether the
   * sender is back.
   */
  private Optional<Part<M>> next(boolean room) {
    for (Part<M> part : measured) {
      if (part.whole() && suspect && !tried && room && !unmeasured.isEmpty()) {
        break;
      }
      if (isFree(part, room)) {
        return Optional.of(part);
      }
      if (part.whole()) {
        break;
      }
    }
    return Optional.empty();
  }

  /** Whether there is memory for it, or it needs no more. */
  private boolean isFree(Part<M> part, boolean room) {
    if (!part.whole()) {
      return room || holdings.isHoused(part.output());
    }
    return isDivisible(part)
        ? fits(part, room, limits.memory().mostHeld())
        : isFreeAsWhole(part, room);
  }

  private boolean isFreeAsWhole(Part<M> part, boolean room) {
    return fits(part, room, limits.memory().mostHeldWhole());
  }

  private boolean fits(Part<M> part, boolean room, long most) {
    long needed = memory(part.output());
    return needed == 0 || (room && holdings.hasRoom(needed, most));
  }

  /**
   * Hands out what comes next. A lane is in use until {@link #end}.
   *
   * @param bytes to fetch; half as many again rather than leaving less than that of an output
   * @param room as {@linkplain #isAvailable before}, which was true
   */
  Chunk<H, M> take(long bytes, boolean room) {
    Optional<Part<M>> next = next(room);
    Chunk<H, M> chunk =
        new Chunk<>(host, next.isPresent() ? take(next.get(), bytes, room) : takeUnmeasured());
    long memory =
        chunk.parts().stream()
            .filter(Part::whole)
            .mapToLong(part -> memory(part.output()))
            .max()
            .orElse(0);
    holdings.begin(chunk, memory);
    inFlight += chunk.bytes();
    return chunk;
  }

  private List<Part<M>> take(Part<M> first, long bytes, boolean room) {
    boolean divide = isDivisible(first) && (exceeds(first, bytes) || !isFreeAsWhole(first, room));
    return divide || !first.whole() ? List.of(cut(first, bytes)) : takeWhole(bytes, room);
  }

  private static boolean exceeds(Part<?> part, long bytes) {
    return part.length() - bytes > bytes / 2;
  }

  /** A range, perhaps of all that is left. */
  private Part<M> cut(Part<M> part, long bytes) {
    measured.remove(part);
    dequeued(part);
    holdings.begin(part.output(), memory(part.output()));
    if (!exceeds(part, bytes)) {
      return part.first(part.length());
    }
    enqueue(part.after(bytes));
    return part.first(bytes);
  }

  /** Whole outputs, the first of them free, one after the other. */
  private List<Part<M>> takeWhole(long bytes, boolean room) {
    List<Part<M>> parts = new ArrayList<>();
    long left = bytes;
    Iterator<Part<M>> waiting = measured.iterator();
    while (waiting.hasNext() && parts.size() < limits.outputs()) {
      Part<M> part = waiting.next();
      if (!part.whole()) {
        continue;
      }
      if (!parts.isEmpty() && (part.length() > left || !isFreeAsWhole(part, room))) {
        break;
      }
      waiting.remove();
      dequeued(part);
      parts.add(part);
      left -= part.length();
    }
    return parts;
  }

  private List<Part<M>> takeUnmeasured() {
    List<M> outputs = unmeasured.stream().limit(limits.outputs()).toList();
    outputs.forEach(unmeasured::remove);
    return outputs.stream().map(output -> Part.whole(output, Part.UNKNOWN)).toList();
  }

  /** A lane that fetched a chunk from here is free. */
  void end(Chunk<H, M> chunk) {
    holdings.end(chunk);
    inFlight -= chunk.bytes();
  }
}
