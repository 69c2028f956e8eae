package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.algorithm.Chunk;
import io.orchestra.hadoop.shuffle.algorithm.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;

/**
 * What one lane fetches next, in the shape in which Hadoop's fetcher takes it: a host that has just
 * these outputs. Used by one thread.
 */
public final class LaneHost extends MapHost {
  private final Chunk<String, TaskAttemptID> chunk;
  private final List<TaskAttemptID> missing = new ArrayList<>();
  private final FailureRound failures;
  private final boolean room;
  private boolean connected;
  private long connectingMillis;

  /**
   * @param baseUrl to which a list of outputs is appended
   * @param room whether there seemed to be memory when it was handed out
   * @param failures the host's failures that were known when this lane began; null if none
   */
  LaneHost(
      Chunk<String, TaskAttemptID> chunk, String baseUrl, boolean room, FailureRound failures) {
    super(chunk.host(), baseUrl);
    this.chunk = chunk;
    this.failures = failures;
    this.room = room;
  }

  FailureRound failures() {
    return failures;
  }

  Chunk<String, TaskAttemptID> chunk() {
    return chunk;
  }

  /** The range to fetch, if it is not whole outputs. */
  Optional<Part<TaskAttemptID>> range() {
    return chunk.parts().stream().filter(part -> !part.whole()).findFirst();
  }

  /** The whole outputs to fetch, but those that are not needed any more. */
  public List<TaskAttemptID> outputs(Sources sources) {
    return chunk.parts().stream()
        .filter(Part::whole)
        .map(Part::output)
        .filter(sources::isNeeded)
        .toList();
  }

  /**
   * Whole outputs come with Hadoop's own requests, which can ask for the connection to be kept: a
   * new one would begin slowly. Encrypted ones cannot be used again.
   */
  static String kept(String baseUrl) {
    return baseUrl.startsWith("https:") ? baseUrl : baseUrl.replace("?", "?keepAlive=true&");
  }

  /**
   * A connection is being opened, or one that was kept is to be used.
   *
   * @return whether for the first time
   */
  boolean connecting(long nowMillis) {
    boolean isFirst = !connected;
    connected = true;
    connectingMillis = nowMillis;
    return isFirst;
  }

  /** For how long a connection has been wanted. */
  public long wantedFor(long nowMillis) {
    return nowMillis - connectingMillis;
  }

  /** An output was not fetched after all. */
  public void putBack(TaskAttemptID output) {
    missing.add(output);
  }

  /** Whether there seemed to be memory for it. */
  boolean hadRoom() {
    return room;
  }

  /** Whether nothing has come of it. */
  boolean isFruitless() {
    return missing().size() == chunk.parts().size();
  }

  /** What must still be fetched. */
  List<Part<TaskAttemptID>> missing() {
    return chunk.parts().stream().filter(part -> missing.contains(part.output())).toList();
  }
}
