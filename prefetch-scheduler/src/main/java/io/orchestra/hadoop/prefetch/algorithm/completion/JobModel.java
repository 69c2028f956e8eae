package io.orchestra.hadoop.prefetch.algorithm.completion;

import io.orchestra.hadoop.prefetch.algorithm.completion.CompletionTime.Usual;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What one job's maps have shown of their speed: a model for each running attempt, and what the
 * finished ones say to the others. Not safe for concurrent use.
 */
public final class JobModel {
  private final double tolerance;
  private final RecentMaps recent;
  private final RecentMaps itsMaps = new RecentMaps();
  private final Map<InputPlace, FinishedMaps> finished = new EnumMap<>(InputPlace.class);
  private final Map<String, AttemptProgress> running = new HashMap<>();
  private final BitSet known = new BitSet();

  /**
   * @param tolerance see {@link AttemptProgress}
   * @param recent maps of earlier jobs, to which those of this one are added
   */
  public JobModel(double tolerance, RecentMaps recent) {
    this.tolerance = tolerance;
    this.recent = recent;
    for (InputPlace place : InputPlace.values()) {
      finished.put(place, new FinishedMaps());
    }
  }

  /**
   * A running attempt reports.
   *
   * @param place of its input
   * @param input bytes it will read in all
   * @param read bytes so far
   * @param readAt seconds from its launch until so much had been read
   * @param elapsed seconds since its launch
   * @return see {@link CompletionTime#of}
   */
  public OptionalDouble observe(
      String attempt, InputPlace place, long input, long read, double readAt, double elapsed) {
    AttemptProgress progress =
        running.computeIfAbsent(attempt, unused -> new AttemptProgress(input, tolerance));
    progress.observe(read, readAt);
    return CompletionTime.of(
        progress, new Usual(seconds(place, input), course(place, input), tail(input)), elapsed);
  }

  /**
   * Input that comes over links comes faster or more slowly each time. And of a job whose maps tell
   * nothing of their progress those of others say nothing.
   */
  private Optional<Course> course(InputPlace place, long input) {
    if (place == InputPlace.ELSEWHERE) {
      return Optional.empty();
    }
    Optional<Course> its = itsMaps.course(place, input);
    return its.isPresent() || itsMaps.isSilent(input) ? its : recent.course(place, input);
  }

  /** As that of the job's finished maps; while that is unknown, as earlier jobs'. */
  private double tail(long input) {
    OptionalDouble its = itsMaps.tail(input);
    return its.isPresent() ? its.getAsDouble() : recent.tail(input).orElse(0);
  }

  /**
   * A map has finished; when the same one does so again, that counts for nothing.
   *
   * @param map its number
   * @param attempt that has finished it
   * @param place of its input
   * @param input bytes it has read
   * @param duration seconds from its launch to its end
   */
  public void finished(int map, String attempt, InputPlace place, long input, double duration) {
    AttemptProgress progress = running.remove(attempt);
    if (!known.get(map)) {
      known.set(map);
      finished.get(place).add(input, duration);
      boolean isSilent = progress != null && progress.read() == 0 && input > 0;
      Optional<Course> course =
          Optional.ofNullable(progress).flatMap(each -> each.course(duration));
      for (RecentMaps maps : List.of(itsMaps, recent)) {
        if (isSilent) {
          maps.addSilent(place, input, duration);
        } else {
          maps.add(place, input, duration, course);
        }
      }
    }
  }

  /** Forgets running attempts but these: others have failed or were killed. */
  public void retain(Set<String> attempts) {
    running.keySet().retainAll(attempts);
  }

  /**
   * What a map takes: as the job's own at such a place. If it has had some at the other only,
   * these, and by as much more or less as with earlier jobs; before its first, as earlier jobs'
   * did.
   *
   * @param input bytes
   * @return empty before the first one, of this job or an earlier one, has finished
   */
  public OptionalDouble seconds(InputPlace place, long input) {
    OptionalDouble own = finished.get(place).seconds(input);
    if (own.isPresent()) {
      return own;
    }
    OptionalDouble other = finished.get(place.other()).seconds(input);
    OptionalDouble earlier = recent.seconds(place, input);
    OptionalDouble earlierOther = recent.seconds(place.other(), input);
    if (other.isPresent()) {
      return OptionalDouble.of(
          other.getAsDouble() * ratio(earlier.orElse(0), earlierOther.orElse(0)));
    }
    return earlier.isPresent() ? earlier : earlierOther;
  }

  /** 1 if it is not known. */
  private static double ratio(double seconds, double others) {
    return seconds > 0 && others > 0 ? seconds / others : 1;
  }
}
