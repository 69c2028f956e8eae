package io.orchestra.hadoop.prefetch.algorithm.completion;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The ends of maps of many small jobs, foretold from what these reported one after the other. */
final class RecordedJobsTest {
  /** As the ResourceManager has it. */
  private static final double TOLERANCE = 0.05;

  private static final long BLOCK = 96 << 20;

  private record MapId(String job, int map) {}

  /**
   * What was foretold.
   *
   * @param elapsed seconds since the launch
   * @param end foretold, seconds from the launch; empty if nobody knew
   */
  private record Foretold(MapId map, InputPlace place, double elapsed, OptionalDouble end) {}

  private static final List<Foretold> FORETOLD = new ArrayList<>();
  private static final Map<MapId, Double> ENDS = new HashMap<>();

  @BeforeAll
  static void replay() throws IOException {
    RecentMaps recent = new RecentMaps();
    Map<String, JobModel> jobs = new HashMap<>();
    for (String line :
        Resources.readLines(
            Resources.getResource(RecordedJobsTest.class, "recorded-jobs.csv"), UTF_8)) {
      if (!line.startsWith("#")) {
        replay(Splitter.on(',').splitToList(line), jobs, recent);
      }
    }
  }

  private static void replay(List<String> words, Map<String, JobModel> jobs, RecentMaps recent) {
    MapId map = new MapId(words.get(0), Integer.parseInt(words.get(1)));
    InputPlace place = InputPlace.valueOf(words.get(2).toUpperCase(Locale.ROOT));
    long input = Long.parseLong(words.get(3));
    JobModel job = jobs.computeIfAbsent(map.job(), unused -> new JobModel(TOLERANCE, recent));
    if (input < BLOCK) {
      // What another job has found.
      return;
    }
    if (words.get(4).isEmpty()) {
      double duration = Double.parseDouble(words.get(7));
      job.finished(map.map(), map.toString(), place, input, duration);
      ENDS.put(map, duration);
      return;
    }
    double elapsed = Double.parseDouble(words.get(6));
    OptionalDouble end =
        job.observe(
            map.toString(),
            place,
            input,
            Long.parseLong(words.get(4)),
            Double.parseDouble(words.get(5)),
            elapsed);
    FORETOLD.add(new Foretold(map, place, elapsed, end));
  }

  @Test
  void endsOfMapsWithTheirInputOnTheirHostsAreKnownToASecond() {
    assertThat(knownToASecond(InputPlace.HERE, 0, 5)).isGreaterThan(0.98);
    assertThat(knownToASecond(InputPlace.HERE, 5, 10)).isGreaterThan(0.85);
  }

  @Test
  void ofThoseAwayFromItMostAreAlthoughItComesFirstFastAndThenSlowly() {
    assertThat(knownToASecond(InputPlace.ELSEWHERE, 0, 5)).isGreaterThan(0.8);
    assertThat(knownToASecond(InputPlace.ELSEWHERE, 5, 10)).isGreaterThan(0.5);
  }

  /**
   * @param from seconds before the end
   * @param to seconds before the end
   * @return part of what was foretold then that was wrong by less than a second
   */
  private static double knownToASecond(InputPlace place, double from, double to) {
    List<Foretold> then =
        FORETOLD.stream()
            .filter(each -> each.place() == place)
            .filter(each -> left(each) >= from && left(each) < to)
            .toList();
    assertThat(then).hasSizeGreaterThan(50);
    Stream<Foretold> known =
        then.stream().filter(each -> Math.abs(each.end().orElse(0) - ENDS.get(each.map())) < 1);
    return (double) known.count() / then.size();
  }

  private static double left(Foretold foretold) {
    return ENDS.get(foretold.map()) - foretold.elapsed();
  }
}
