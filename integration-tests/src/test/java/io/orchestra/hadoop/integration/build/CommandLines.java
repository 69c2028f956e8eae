package io.orchestra.hadoop.integration.build;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.operator.Operator;
import io.orchestra.hadoop.operator.install.Role;
import io.orchestra.hadoop.testbed.cli.Orchestra;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Commands of ours, as pages show them: with options in brackets, ellipses and comments. */
final class CommandLines {
  /** In a block of code, or as a piece of code in a sentence. */
  private static final Pattern SHOWN =
      Pattern.compile("(?m)^ {4,}(?:\\$ )?\\S*bin/orchestra( .*)?$|`bin/orchestra ([^`]*)`");

  private static final Pattern COMMENT = Pattern.compile("\\s#.*");
  private static final Pattern OPTION = Pattern.compile("--?[a-z][a-z-]*");
  private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]+");

  /** How {@code bench --list} begins what it says of each. */
  private static final Pattern BENCHMARK = Pattern.compile("(?m)^([a-z]+): ");

  /** What may come after a word, where that is one of a few, or some of them with commas. */
  private static final Map<String, Set<String>> FOLLOWERS =
      Map.of(
          "--role",
          Stream.of(Role.values()).map(Role::roleName).collect(Collectors.toSet()),
          "--plugins",
          Stream.concat(Stream.of("none"), Stream.of(Plugin.values()).map(Plugin::pluginName))
              .collect(Collectors.toSet()),
          "bench",
          Stream.concat(Stream.of("all"), benchmarks()).collect(Collectors.toSet()));

  private CommandLines() {}

  private static Stream<String> benchmarks() {
    StringWriter list = new StringWriter();
    int status = Orchestra.commandLine().setOut(new PrintWriter(list)).execute("bench", "--list");
    if (status != 0) {
      throw new IllegalStateException("bench --list ends with " + status);
    }
    return BENCHMARK.matcher(list.toString()).results().map(found -> found.group(1));
  }

  /** What comes after the name of the command, of each that a page shows. */
  static List<String> shown(String page) {
    return SHOWN.matcher(page).results().map(CommandLines::words).toList();
  }

  private static String words(MatchResult found) {
    String words = found.group(1) == null ? found.group(2) : found.group(1);
    return words == null ? "" : COMMENT.matcher(words).replaceFirst("").strip();
  }

  /** The first word that the command does not know, or not there; empty if there is none. */
  static Optional<String> unknownWord(String command) {
    List<String> words =
        Splitter.onPattern("[\\s\\[\\]|…=]+").omitEmptyStrings().splitToList(command);
    return Stream.of(Operator.commandLine(), Orchestra.commandLine())
        .map(commandLine -> unknownWord(commandLine, words))
        .reduce((first, second) -> first.isEmpty() ? first : second)
        .orElseThrow();
  }

  private static Optional<String> unknownWord(CommandLine commandLine, List<String> words) {
    CommandLine at = commandLine;
    String before = "";
    for (String word : words) {
      if (!mayFollow(before, word)) {
        return Optional.of(word);
      }
      before = word;
      if (at.getSubcommands().containsKey(word)) {
        at = at.getSubcommands().get(word);
      } else if (word.equals("--") || at.isStopAtPositional() && !word.startsWith("-")) {
        // What follows is for the program that is run.
        return Optional.empty();
      } else if (isUnknown(at, word)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  private static boolean mayFollow(String before, String word) {
    return !FOLLOWERS.containsKey(before)
        || OPTION.matcher(word).matches()
        || PLACEHOLDER.matcher(word).matches()
        || FOLLOWERS.get(before).containsAll(Splitter.on(',').splitToList(word));
  }

  private static boolean isUnknown(CommandLine at, String word) {
    return OPTION.matcher(word).matches()
        ? at.getCommandSpec().findOption(word) == null
        : !at.getSubcommands().isEmpty();
  }
}
