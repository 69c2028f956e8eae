package io.orchestra.hadoop.prefetch.algorithm.completion;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.EvictingQueue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The last maps of one user's jobs. They are all that is known of a job none of whose own maps has
 * come far: the small ones that FlexFetch is for would be over before a model of their own is
 * stable. Safe for concurrent use.
 */
public final class RecentMaps {
  private static final int MOST = 40;
  private static final int MEDIAN = 50;

  private record Map(InputPlace place, long input, double seconds, Optional<LinearModel> model) {}

  /** Guarded by this. */
  private final Queue<Map> maps = EvictingQueue.create(MOST);

  /**
   * @param input bytes the map has read
   * @param seconds from its launch to its end
   * @param model of the attempt at its end, if there was a stable one
   */
  public synchronized void add(
      InputPlace place, long input, double seconds, Optional<LinearModel> model) {
    checkArgument(input >= 0, "an input of %s bytes", input);
    checkArgument(seconds >= 0, "a duration of %s s", seconds);
    maps.add(new Map(place, input, seconds, model));
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
    List<Map> alike =
        there.stream().filter(map -> map.input() >= input / 2 && map.input() / 2 <= input).toList();
    return median((alike.isEmpty() ? there : alike).stream().mapToDouble(Map::seconds));
  }

  /** Seconds per byte while maps at such a place read; empty before the first with a model. */
  public synchronized OptionalDouble alpha(InputPlace place) {
    return median(
        at(place).stream().flatMap(map -> map.model().stream()).mapToDouble(LinearModel::alpha));
  }

  private List<Map> at(InputPlace place) {
    return maps.stream().filter(map -> map.place() == place).toList();
  }

  private static OptionalDouble median(DoubleStream values) {
    double[] known = values.toArray();
    return known.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(known, MEDIAN));
  }
}
