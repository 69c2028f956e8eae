package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.CaseFormat;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.config.Setting;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What pages name is there: other pages, settings, classes, messages. */
final class DocumentationTest {
  /** Not as a part of a longer name, such as that of a package or of an access control list. */
  private static final Pattern SETTING =
      Pattern.compile("(?<![\\w./-])orchestra\\.[a-z][a-z0-9.-]*[a-z0-9]");

  private static final Pattern ACCESS_CONTROL_LIST =
      Pattern.compile("security\\.orchestra\\.[a-z.]+\\.acl");

  /** Outside of code blocks, where a page may show what happens with a wrong one. */
  private static final Pattern OUR_CLASS =
      Pattern.compile("`io\\.orchestra\\.hadoop\\.[a-z0-9.]+\\.([A-Z]\\w*)`");

  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT|Benchmark|Suite))`");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Whose name is not made from a list. */
  private static final Pattern METRIC = Pattern.compile("Interns\\.info\\(\\s*\"(\\w+)\",");

  private static final Pattern METRIC_ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  /** Shorter parts of messages say nothing. */
  private static final int LEAST_LETTERS = 5;

  private static List<Page> pages;
  private static Sources sources;

  @BeforeAll
  static void read() throws IOException {
    pages = Page.all(SourceTree.root());
    sources = Sources.read(SourceTree.root());
  }

  @Test
  void linksLeadToPagesAndHeadingsThatAreThere() {
    assertThat(pages.stream().flatMap(page -> page.deadLinks().map(page::says))).isEmpty();
  }

  @Test
  void settingsAreThoseOfTheCode() {
    Set<String> keys =
        Stream.of(
                PlacementConfig.SETTINGS,
                BroadcastConfig.SETTINGS,
                ShuffleConfig.SETTINGS,
                PrefetchConfig.SETTINGS,
                BlockCacheConfig.SETTINGS)
            .flatMap(List::stream)
            .map(Setting::key)
            .collect(Collectors.toSet());

    assertThat(named(SETTING, 0, name -> !keys.contains(name))).isEmpty();
  }

  @Test
  void accessControlListsAreThoseOfTheProtocols() {
    assertThat(named(ACCESS_CONTROL_LIST, 0, name -> !sources.haveText("\"" + name + "\"")))
        .isEmpty();
  }

  @Test
  void classesAndTestsAreThere() {
    assertThat(named(OUR_CLASS, 1, name -> !sources.haveClass(name))).isEmpty();
    assertThat(named(TEST, 1, name -> !sources.haveClass(name))).isEmpty();
  }

  @Test
  void commandsAndTheirOptionsAreThoseOfTheCommandLine() {
    List<String> commands =
        pages.stream().flatMap(page -> CommandLines.shown(page.text()).stream()).toList();

    assertThat(commands).hasSizeGreaterThan(50);
    assertThat(commands)
        .filteredOn(command -> CommandLines.unknownWord(command).isPresent())
        .isEmpty();
    assertThat(CommandLines.unknownWord("cluster up --plugin placement")).contains("--plugin");
    assertThat(CommandLines.unknownWord("doctor --live")).isEmpty();
    assertThat(CommandLines.unknownWord("clusters up")).contains("clusters");
    assertThat(CommandLines.unknownWord("cluster up --plugins placement,shufle"))
        .contains("placement,shufle");
    assertThat(CommandLines.unknownWord("bench gridmicks --quick")).contains("gridmicks");
    assertThat(CommandLines.unknownWord("install --role datanode,nodemanagers")).isPresent();
    assertThat(CommandLines.unknownWord("install --role datanode,nodemanager")).isEmpty();
  }

  /** Some are of several sources: as often as the code has it, the page has a row for it. */
  @Test
  void metricsAreOnTheirPage() throws IOException {
    String page = Files.readString(SourceTree.root().resolve("docs/metrics.md"));
    Multiset<String> rows = names(METRIC_ROW, page);
    Multiset<String> names = names(METRIC, sources.text());

    assertThat(names).isNotEmpty();
    assertThat(Multisets.difference(names, rows)).as("without a row").isEmpty();
    assertThat(Multisets.difference(rows, names))
        .as("rows of nothing")
        .allMatch(DocumentationTest::isMadeFromAList);
  }

  private static Multiset<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(ImmutableMultiset.toImmutableMultiset());
  }

  /** Such as {@code RefusedForged}: a constant after a beginning that the code has. */
  private static boolean isMadeFromAList(String metric) {
    return IntStream.range(0, metric.length())
        .filter(at -> Character.isUpperCase(metric.charAt(at)))
        .anyMatch(
            at ->
                (at == 0 || sources.haveText("\"" + metric.substring(0, at) + "\""))
                    && sources.haveConstant(
                        CaseFormat.UPPER_CAMEL.to(
                            CaseFormat.UPPER_UNDERSCORE, metric.substring(at))));
  }

  /**
   * In tables whose first column is called "message" each piece of code there is one that we print:
   * operators search for it. An ellipsis stands for what differs.
   */
  @Test
  void messagesAreThoseOfTheCode() {
    List<String> unknown = new ArrayList<>();
    int parts = 0;
    for (Page page : pages) {
      for (String cell : page.firstColumn("message")) {
        for (MatchResult code : CODE.matcher(cell).results().toList()) {
          for (String part : code.group(1).split("…")) {
            if (part.chars().filter(Character::isLetter).count() >= LEAST_LETTERS) {
              parts++;
              if (!sources.haveText(part)) {
                unknown.add(page.says(part));
              }
            }
          }
        }
      }
    }

    assertThat(unknown).isEmpty();
    assertThat(parts).as("messages in docs/troubleshooting.md").isPositive();
  }

  private static Stream<String> named(Pattern pattern, int group, Predicate<String> isWrong) {
    return pages.stream()
        .flatMap(
            page ->
                pattern
                    .matcher(page.text())
                    .results()
                    .map(found -> found.group(group))
                    .filter(isWrong)
                    .map(page::says));
  }
}
