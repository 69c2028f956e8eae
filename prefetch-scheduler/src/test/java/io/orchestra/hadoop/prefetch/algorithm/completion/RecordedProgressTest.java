package io.orchestra.hadoop.prefetch.algorithm.completion;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The model on what maps of a real job reported, which stop to sort and spill now and then. */
final class RecordedProgressTest {
  /** As the ResourceManager has it. */
  private static final double TOLERANCE = 0.05;

  /**
   * One line of the recording.
   *
   * @param duration seconds from launch to end
   * @param seconds since the launch
   */
  private record Report(int map, long input, double duration, double seconds, long read) {
    static Report parse(String line) {
      List<String> words = Splitter.on(',').splitToList(line);
      return new Report(
          Integer.parseInt(words.get(0)),
          Long.parseLong(words.get(1)),
          Double.parseDouble(words.get(2)),
          Double.parseDouble(words.get(3)),
          Long.parseLong(words.get(4)));
    }
  }

  private static Collection<List<Report>> maps;

  @BeforeAll
  static void load() throws IOException {
    maps =
        Resources.readLines(
                Resources.getResource(RecordedProgressTest.class, "recorded-maps.csv"), UTF_8)
            .stream()
            .filter(line -> !line.startsWith("#"))
            .map(Report::parse)
            .collect(Collectors.groupingBy(Report::map, TreeMap::new, Collectors.toList()))
            .values();
  }

  @Test
  void theFirstModelOfAnAttemptForetellsItsEndWithinAFifth() {
    List<Double> errors = new ArrayList<>();
    for (List<Report> map : maps) {
      firstModelled(map).ifPresent(first -> errors.add(error(first, modelAt(map, first))));
    }
    // One of the ten has too small an input.
    assertThat(errors).hasSize(9).allMatch(error -> Math.abs(error) < 0.2);
  }

  @Test
  void withTheTimeThatFinishedMapsTookAfterTheirInputItDoesSoWithinAnEighth() {
    JobModel job = new JobModel(TOLERANCE, new RecentMaps());
    List<Double> errors = new ArrayList<>();
    for (List<Report> map : maps) {
      Optional<Report> first = firstModelled(map);
      Report last = map.get(map.size() - 1);
      for (Report report : map) {
        OptionalDouble end =
            job.observe(
                "of " + report.map(),
                InputPlace.HERE,
                report.input(),
                report.read(),
                report.seconds(),
                report.seconds());
        if (report.map() > 0 && first.equals(Optional.of(report))) {
          errors.add(error(report, end.orElseThrow()));
        }
      }
      job.finished(last.map(), "of " + last.map(), InputPlace.HERE, last.input(), last.duration());
    }
    assertThat(errors).hasSize(8).allMatch(error -> Math.abs(error) < 0.125);
  }

  /** The report with which an attempt has its first model. */
  private static Optional<Report> firstModelled(List<Report> map) {
    AttemptProgress attempt = new AttemptProgress(map.get(0).input(), TOLERANCE);
    return map.stream()
        .filter(
            report -> {
              attempt.observe(report.read(), report.seconds());
              return attempt.model().isPresent();
            })
        .findFirst();
  }

  private static double modelAt(List<Report> map, Report last) {
    AttemptProgress attempt = new AttemptProgress(last.input(), TOLERANCE);
    map.subList(0, map.indexOf(last) + 1)
        .forEach(report -> attempt.observe(report.read(), report.seconds()));
    return attempt.model().orElseThrow().seconds(last.input());
  }

  private static double error(Report report, double foretold) {
    return foretold / report.duration() - 1;
  }
}
