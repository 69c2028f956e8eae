package io.orchestra.hadoop.testbed.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Text in Markdown that is built part by part. */
final class Markdown {
  private final StringBuilder text = new StringBuilder();

  void heading(int level, String heading) {
    block("#".repeat(level) + " " + heading);
  }

  void paragraph(String paragraph) {
    block(paragraph.strip());
  }

  /** A list with a dash before each item; nothing if there are none. */
  void list(List<String> items) {
    if (!items.isEmpty()) {
      block(items.stream().map(item -> "- " + oneLine(item)).collect(Collectors.joining("\n")));
    }
  }

  /** A table whose rows are as long as its headings. */
  void table(List<String> headings, List<List<String>> rows) {
    StringBuilder table = new StringBuilder(row(headings));
    table.append('\n').append(row(Collections.nCopies(headings.size(), "---")));
    rows.forEach(row -> table.append('\n').append(row(row)));
    block(table.toString());
  }

  void image(String title, String file) {
    block("![" + title + "](" + file + ")");
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> oneLine(cell).replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String oneLine(String item) {
    return item.strip().replaceAll("\\s+", " ");
  }

  private void block(String block) {
    if (!text.isEmpty()) {
      text.append('\n');
    }
    text.append(block).append('\n');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
