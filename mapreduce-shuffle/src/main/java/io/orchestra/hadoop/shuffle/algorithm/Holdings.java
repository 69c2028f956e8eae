package io.orchestra.hadoop.shuffle.algorithm;

import static com.google.common.base.Preconditions.checkState;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** The memory of a reducer that outputs of one sender hold while they are under way. */
final class Holdings<H, M> {
  /** Outputs of which a range has been handed out and not all has arrived, and their bytes. */
  private final Map<M, Long> begun = new HashMap<>();

  /** Those of them that have got their memory, or need none. */
  private final Set<M> housed = new HashSet<>();

  /** What lanes hold that fetch whole outputs, each of them one at a time. */
  private final Map<Chunk<H, M>, Long> lanes = new IdentityHashMap<>();

  private long held;

  /**
   * @param bytes of another output
   * @param most of all together; but one output, however large it is
   */
  boolean hasRoom(long bytes, long most) {
    return held == 0 || held + bytes <= most;
  }

  /** A range of an output is handed out. */
  void begin(M output, long bytes) {
    if (begun.putIfAbsent(output, bytes) == null) {
      held += bytes;
    }
  }

  /** An output has its memory: what is left of it may come while there is none for others. */
  void house(M output) {
    if (begun.containsKey(output)) {
      housed.add(output);
    }
  }

  boolean isHoused(M output) {
    return housed.contains(output);
  }

  /** All of an output is here, or no range of it comes any more. */
  void settle(M output) {
    housed.remove(output);
    Long bytes = begun.remove(output);
    if (bytes != null) {
      held -= bytes;
    }
  }

  /**
   * A lane begins.
   *
   * @param bytes of the largest whole output it fetches
   */
  void begin(Chunk<H, M> chunk, long bytes) {
    lanes.put(chunk, bytes);
    held += bytes;
  }

  /** A lane has ended. */
  void end(Chunk<H, M> chunk) {
    Long bytes = lanes.remove(chunk);
    checkState(bytes != null, "no lane fetches %s", chunk);
    held -= bytes;
  }

  int lanes() {
    return lanes.size();
  }
}
