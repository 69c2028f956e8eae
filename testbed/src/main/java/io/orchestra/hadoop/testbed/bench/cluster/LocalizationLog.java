package io.orchestra.hadoop.testbed.bench.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.ClusterDirectory;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * When the containers of an application were localized, as the log of a NodeManager tells.
 *
 * @param containers by their id, those that were localized to the end
 */
public record LocalizationLog(Map<String, Span> containers) {
  private static final Pattern TRANSITION =
      Pattern.compile(
          "(?<time>\\S+ \\S+) INFO \\S*\\.ContainerImpl: Container (?<container>container_\\S+)"
              + " transitioned from (?<from>[A-Z_]+) to (?<to>[A-Z_]+)");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final String LOCALIZING = "LOCALIZING";

  /** ContainerImpl's states after resources are there. */
  private static final List<String> LOCALIZED = List.of("SCHEDULED", "LOCALIZED", "RUNNING");

  /** The first container of an application attempt is that of its master. */
  private static final String MASTER = "_000001";

  /**
   * @param container its id
   */
  public record Span(String container, LocalDateTime start, LocalDateTime end) {
    public double seconds() {
      return start.until(end, ChronoUnit.MILLIS) / 1e3;
    }

    public boolean isMaster() {
      return container.endsWith(MASTER);
    }
  }

  public LocalizationLog {
    containers = Map.copyOf(containers);
  }

  /**
   * Reads the log of a host's NodeManager.
   *
   * @param application its id, such as {@code application_1700000000000_0001}; without the last
   *     number it stands for all applications of one start of the ResourceManager
   */
  public static LocalizationLog read(ClusterDirectory cluster, String host, String application) {
    Path log = cluster.log(host, Daemon.NODEMANAGER);
    try (Stream<String> lines = Files.lines(log)) {
      return parse(lines, application);
    } catch (IOException e) {
      throw new TestbedException("cannot read " + log + ": " + e.getMessage(), e);
    }
  }

  static LocalizationLog parse(Stream<String> lines, String application) {
    // Containers have the cluster's start and the application's number in their ids.
    String numbers = application.substring(application.indexOf('_')) + "_";
    Map<String, LocalDateTime> starts = new LinkedHashMap<>();
    Map<String, Span> spans = new LinkedHashMap<>();
    lines
        .map(TRANSITION::matcher)
        // A log has lines of many thousands of characters.
        .filter(Matcher::lookingAt)
        .filter(line -> line.group("container").contains(numbers))
        .forEach(
            line -> {
              LocalDateTime time = LocalDateTime.parse(line.group("time"), TIME);
              String container = line.group("container");
              if (line.group("to").equals(LOCALIZING)) {
                starts.put(container, time);
              } else if (line.group("from").equals(LOCALIZING)
                  && LOCALIZED.contains(line.group("to"))) {
                spans.put(container, new Span(container, starts.get(container), time));
              }
            });
    return new LocalizationLog(spans);
  }

  /** The container of the application's master, if it was here. */
  public Optional<Span> master() {
    return containers.values().stream().filter(Span::isMaster).findFirst();
  }

  /** The containers of tasks that were here. */
  public Collection<Span> tasks() {
    return containers.values().stream().filter(span -> !span.isMaster()).toList();
  }
}
