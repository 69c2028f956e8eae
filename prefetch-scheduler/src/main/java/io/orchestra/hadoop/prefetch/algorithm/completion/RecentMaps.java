package io.orchestra.hadoop.prefetch.algorithm.completion;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.EvictingQueue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The last maps of a job, or of all of one user's. The latter are all that is known of a job none
 * of whose own maps has come far: the small ones that FlexFetch is for would be over before a model
 * of their own is stable. Safe for concurrent use.
 */
public final class RecentMaps {
  private static final int MOST = 40;
  private static final int MEDIAN = 50;

  /**
   * @param isSilent whether it was followed, and told nothing of its progress
   */
  private record Map(
      InputPlace place, long input, double seconds, Optional<Course> course, boolean isSilent) {
    private boolean isLike(long other) {
      return input >= other / 2 && input / 2 <= other;
    }
  }

  /** Guarded by this. */
  private final Queue<Map> maps = EvictingQueue.create(MOST);

  /**
   * @param input bytes the map has read
   * @param seconds from its launch to its end
   * @param course empty if too little of its progress is known, or nobody followed it
   */
  synchronized void add(InputPlace place, long input, double seconds, Optional<Course> course) {
    add(new Map(place, input, seconds, course, false));
  }

  /** The same of one that was followed, and told nothing of its progress. */
  synchronized void addSilent(InputPlace place, long input, double seconds) {
    add(new Map(place, input, seconds, Optional.empty(), true));
  }

  private void add(Map map) {
    checkArgument(map.input() >= 0, "an input of %s bytes", map.input());
    checkArgument(map.seconds() >= 0, "a duration of %s s", map.seconds());
    maps.add(map);
  }

  /**
   * What a map takes whose input is nearest to that of such as have been seen at such a place: the
   * median of those with at least half and at most twice as much, and of all if there are none.
   *
   * @param input bytes
   * @return empty before the first map at such a place
   */
  public synchronized OptionalDouble seconds(InputPlace place, long input) {
    List<Map> there = at(place);
    List<Map> alike = there.stream().filter(map -> map.isLike(input)).toList();
    return there.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(median(alike.isEmpty() ? there : alike, Map::seconds));
  }

  /**
   * How a map goes: the median of those at such a place with at least half and at most twice as
   * much input.
   *
   * @param input bytes
   * @return empty before the first of them
   */
  synchronized Optional<Course> course(InputPlace place, long input) {
    List<Course> courses =
        at(place).stream()
            .filter(map -> map.isLike(input))
            .flatMap(map -> map.course().stream())
            .toList();
    return courses.isEmpty()
        ? Optional.empty()
        : Optional.of(new Course(median(courses, Course::alpha), median(courses, Course::tail)));
  }

  /**
   * Seconds between the end of a map's input and its end (sort, spill, commit), of which progress
   * says nothing: the median of those with at least half and at most twice as much input, and of
   * all if there are none, wherever it was.
   *
   * @param input bytes
   * @return empty before the first of which it is known
   */
  synchronized OptionalDouble tail(long input) {
    List<Map> known = maps.stream().filter(map -> map.course().isPresent()).toList();
    List<Map> alike = known.stream().filter(map -> map.isLike(input)).toList();
    return known.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            median(alike.isEmpty() ? known : alike, map -> map.course().orElseThrow().tail()));
  }

  /**
   * Whether maps with at least half and at most twice as much input were followed, and none told of
   * its progress.
   *
   * @param input bytes
   */
  synchronized boolean isSilent(long input) {
    List<Map> alike = maps.stream().filter(map -> map.isLike(input)).toList();
    return alike.stream().anyMatch(Map::isSilent)
        && alike.stream().allMatch(map -> map.course().isEmpty());
  }

  private List<Map> at(InputPlace place) {
    return maps.stream().filter(map -> map.place() == place).toList();
  }

  private static <T> double median(List<T> values, ToDoubleFunction<T> what) {
    return StatUtils.percentile(values.stream().mapToDouble(what).toArray(), MEDIAN);
  }
}
