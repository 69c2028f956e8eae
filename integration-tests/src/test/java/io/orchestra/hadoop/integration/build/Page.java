package io.orchestra.hadoop.integration.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation, in Markdown.
 *
 * @param file below {@code root}
 */
record Page(Path root, Path file, String text) {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /** Those that people write, and the reports of benchmarks. */
  static List<Page> all(Path root) throws IOException {
    List<Page> pages = new ArrayList<>();
    pages.add(read(root, root.resolve("README.md")));
    pages.add(read(root, root.resolve("CONTRIBUTING.md")));
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      for (Path file : files.filter(name -> name.toString().endsWith(".md")).sorted().toList()) {
        pages.add(read(root, file));
      }
    }
    return pages;
  }

  private static Page read(Path root, Path file) throws IOException {
    return new Page(root, file, Files.readString(file));
  }

  /** Something that the page says, with its name. */
  String says(String what) {
    return root.relativize(file) + ": " + what;
  }

  /** Links to files that are not there, or to headings that their pages do not have. */
  Stream<String> deadLinks() {
    return LINK.matcher(text)
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.contains("://"))
        .filter(link -> !leadsSomewhere(link));
  }

  private boolean leadsSomewhere(String link) {
    int fragment = link.indexOf('#');
    String path = fragment < 0 ? link : link.substring(0, fragment);
    Path target = path.isEmpty() ? file : file.resolveSibling(path);
    try {
      return Files.exists(target)
          && (fragment < 0 || anchors(target).contains(link.substring(fragment + 1)));
    } catch (IOException e) {
      return false;
    }
  }

  /** Headings as GitHub makes anchors of them. */
  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(
            (MatchResult found) ->
                found
                    .group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .toList();
  }

  /** The first cells of all rows of tables whose first heading is {@code name}. */
  List<String> firstColumn(String name) {
    List<String> cells = new ArrayList<>();
    boolean inTable = false;
    boolean wanted = false;
    for (String line : text.split("\n")) {
      boolean isRow = line.startsWith("| ");
      if (isRow) {
        String cell = line.substring(2).split(" \\|", 2)[0].strip();
        if (!inTable) {
          wanted = cell.equals(name);
        } else if (wanted && !cell.startsWith("---")) {
          cells.add(cell);
        }
      }
      inTable = isRow;
    }
    return cells;
  }
}
