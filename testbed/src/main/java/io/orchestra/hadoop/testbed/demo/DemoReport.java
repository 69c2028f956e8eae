package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came out of the demo, and whether that is as it must be.
 *
 * @param where what the clusters were
 * @param plugins those that were on in the second arm
 */
record DemoReport(
    String where,
    List<Plugin> plugins,
    List<Step> steps,
    Arm stock,
    Arm second,
    List<String> leftovers) {

  /** What is not as it must be; nothing if all is well. */
  List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (Step step : steps) {
      if (!equal(step)) {
        failures.add("the outputs of " + step.title() + " differ");
      }
    }
    if (plugins.contains(Plugin.PLACEMENT)
        && second.placement().map(PlacementDecisions::byNetwork).orElse(0L) == 0) {
      failures.add("the placement plugin placed no replica by the network");
    }
    leftovers.forEach(leftover -> failures.add("left behind: " + leftover));
    return failures;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    String names = plugins.stream().map(Plugin::pluginName).collect(Collectors.joining("+"));
    line(text, "%s", where);
    line(text, "");
    line(
        text,
        "%-14s %-6s %9s %11s  %s",
        "WHAT RAN",
        "USER",
        "STOCK",
        names.toUpperCase(Locale.ROOT),
        "OUTPUTS");
    for (Step step : steps) {
      Outputs outputs = second.outputs().get(step.title());
      line(
          text,
          "%-14s %-6s %7.1f s %9.1f s  %s (%d files, %.1f MB)",
          step.title(),
          step.user().userName(),
          stock.seconds().get(step.title()),
          second.seconds().get(step.title()),
          equal(step) ? "equal" : "DIFFERENT",
          outputs.digests().size(),
          outputs.bytes() / 1e6);
    }
    second.placement().ifPresent(placement -> decisions(text, placement));
    line(text, "");
    failures().forEach(failure -> line(text, "FAILED: %s", failure));
    if (failures().isEmpty()) {
      line(text, "all outputs are equal byte for byte; nothing is left behind");
    }
    return text.toString();
  }

  private static void decisions(StringBuilder text, PlacementDecisions placement) {
    line(text, "");
    line(
        text,
        "placement decided on %d replicas:",
        placement.reasons().values().stream().mapToLong(Long::longValue).sum());
    placement
        .reasons()
        .forEach(
            (reason, count) -> {
              if (count > 0) {
                line(
                    text,
                    "  %6d %-14s %s",
                    count,
                    reason,
                    placement.meanings().getOrDefault(reason, ""));
              }
            });
    line(
        text,
        "  by host: %s",
        placement.hosts().entrySet().stream()
            .map((Map.Entry<String, Long> host) -> host.getKey() + " " + host.getValue())
            .collect(Collectors.joining(", ")));
  }

  private boolean equal(Step step) {
    return stock.outputs().get(step.title()).equals(second.outputs().get(step.title()));
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
