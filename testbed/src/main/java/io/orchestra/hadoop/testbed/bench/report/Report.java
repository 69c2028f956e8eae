package io.orchestra.hadoop.testbed.bench.report;

import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Demands;
import io.orchestra.hadoop.testbed.bench.result.ExperimentResult;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.result.RunSetup;
import io.orchestra.hadoop.testbed.bench.result.Summary;
import io.orchestra.hadoop.testbed.bench.result.Verification;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A run's results in Markdown, for people. */
final class Report {
  private static final String INTERVALS =
      """
      Each value is the median over the repetitions; a repetition's arms are compared with each other only. The interval
      is Student's t interval at 95 %: of the logarithms where the value is a ratio, which makes it an interval of the
      geometric mean, and of the values themselves otherwise. A median outside of it, marked with *, means that the
      repetitions fall into groups. A target is met if the whole interval keeps to it, and not met if the whole interval
      lies on the other side.
      """;

  private final RunResult result;
  private final List<Plot> plots;
  private final Markdown text = new Markdown();

  /**
   * @param plots those that are drawn
   */
  Report(RunResult result, List<Plot> plots) {
    this.result = result;
    this.plots = plots;
  }

  String text() {
    RunSetup setup = result.setup();
    text.heading(1, "Benchmark " + setup.benchmark().name());
    text.paragraph(setup.benchmark().question());
    verified();
    text.heading(2, "What was run");
    text.table(List.of("", ""), rows(facts(setup)));
    text.heading(2, "Ratios");
    text.table(KeyRow.HEADINGS, result.keys().stream().map(KeyRow::of).toList());
    text.paragraph(INTERVALS);
    images(Optional.empty());
    result.experiments().forEach(this::experiment);
    return text.toString();
  }

  private void verified() {
    if (result.verified()) {
      text.paragraph(
          "**Verified.** All checks passed, and the demands on links and processors are met.");
    } else {
      text.paragraph("**Not verified:**");
      text.list(result.reasons());
    }
    List<String> busy = Verification.busyProcessors(result.experiments());
    if (!busy.isEmpty()) {
      text.paragraph(
          "What arms cost processors counts where these were idle for less than %.0f %% of the time, in the median:"
              .formatted(100 * Demands.AMPLE_IDLE_CPU));
      text.list(busy);
    }
  }

  private static Map<String, String> facts(RunSetup setup) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "`" + setup.command() + "`");
    facts.put(
        "started",
        setup.starts().stream().map(Instant::toString).collect(Collectors.joining(", continued ")));
    if (!setup.earlyEnds().isEmpty()) {
      facts.put("ended early", String.join("; ", setup.earlyEnds()));
    }
    facts.put("Hadoop", setup.options().hadoopVersion());
    facts.put("commit", setup.commits());
    facts.put("processors", Integer.toString(setup.machine().processors()));
    facts.put("TCP congestion control", setup.machine().congestionControl());
    facts.put("Java", setup.machine().java());
    facts.putAll(setup.description());
    return facts;
  }

  private static List<List<String>> rows(Map<String, String> facts) {
    return facts.entrySet().stream().map(fact -> List.of(fact.getKey(), fact.getValue())).toList();
  }

  private void experiment(ExperimentResult result) {
    text.heading(2, "Experiment " + result.experiment().name());
    text.paragraph(result.experiment().description());
    text.paragraph(
        "Repetitions: %d, of which %d were planned; warm-ups: %d. Median (minimum–maximum), of fewer trials where an arm says so:"
            .formatted(result.repetitions(), result.planned(), result.experiment().warmUps()));
    List<Arm> arms = result.experiment().arms();
    List<String> headings = new ArrayList<>(List.of(""));
    arms.forEach(arm -> headings.add(heading(result, arm)));
    text.table(headings, result.figures().stream().map(figure -> row(result, figure)).toList());
    text.list(arms.stream().flatMap(arm -> waivers(arm).stream()).toList());
    images(Optional.of(result.experiment().name()));
  }

  private static String heading(ExperimentResult result, Arm arm) {
    int trials = result.trials(arm).size();
    return trials == result.repetitions() ? arm.name() : "%s (%d)".formatted(arm.name(), trials);
  }

  private void images(Optional<String> experiment) {
    plots.stream()
        .filter(plot -> plot.experiment().equals(experiment))
        .forEach(plot -> text.image(plot.title(), plot.file()));
  }

  private static List<String> row(ExperimentResult result, String figure) {
    List<String> row = new ArrayList<>(List.of(figure));
    for (Arm arm : result.experiment().arms()) {
      List<Double> values = result.values(arm, figure);
      row.add(values.isEmpty() ? "" : text(Summary.of(values)));
    }
    return row;
  }

  private static String text(Summary summary) {
    return "%s (%s–%s)"
        .formatted(
            Numbers.text(summary.median()),
            Numbers.text(summary.min()),
            Numbers.text(summary.max()));
  }

  private static List<String> waivers(Arm arm) {
    List<String> waivers = new ArrayList<>();
    arm.demands()
        .whyNoBusyLink()
        .ifPresent(why -> waivers.add(arm.name() + ": no link need be busy, because " + why));
    arm.demands()
        .whyNoIdleCpu()
        .ifPresent(why -> waivers.add(arm.name() + ": no processor need be idle, because " + why));
    return waivers;
  }
}
