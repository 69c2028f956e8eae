package io.orchestra.hadoop.testbed.bench.prefetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.cluster.WebClient;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What our coordinator tells of the maps of some jobs: where they found their input, and how well
 * their launches were foretold. Other jobs run beside those that are measured, and would count as
 * if they were of them.
 */
final class ScheduledMaps {
  private static final String JOB = "job";
  private static final String APPLICATION = "application";

  private static final int FEW = 2;
  private static final int FEW_OF = 10;

  /** Where there were few maps, one that knows of none would pass otherwise. */
  private static final int LEAST = 2;

  /** In the words of the coordinator's page. */
  private static final List<String> PLACES =
      List.of("local", "ready", "partly", "away", "confirmedReady", "confirmedPartly");

  private final Map<String, Long> places = new LinkedHashMap<>();
  private final List<JsonNode> launches;

  private ScheduledMaps(JsonNode report, Set<String> jobs) {
    for (String place : PLACES) {
      long count =
          jobs.stream()
              .map(job -> APPLICATION + job.substring(JOB.length()))
              .mapToLong(app -> report.path("localityByJob").path(app).path(place).asLong())
              .sum();
      places.put(place, count);
    }
    launches =
        WebClient.elements(report.path("lastLaunches")).stream()
            .filter(launch -> jobs.contains(job(launch.path("task").asText())))
            .toList();
  }

  /**
   * @param report the coordinator's page
   * @param jobs by the ids that MapReduce gives them
   */
  static ScheduledMaps of(JsonNode report, Collection<String> jobs) {
    return new ScheduledMaps(report, Set.copyOf(jobs));
  }

  /** Whose attempt this is. */
  private static String job(String attempt) {
    List<String> words = Splitter.on('_').splitToList(attempt);
    return words.size() < 3 ? "" : "%s_%s_%s".formatted(JOB, words.get(1), words.get(2));
  }

  /** Maps by where they found their input. */
  Map<String, Long> places() {
    return Map.copyOf(places);
  }

  /**
   * Whether the coordinator tells of all of so many maps, but for a few: those that get slots as
   * soon as their jobs begin may come before the first report. It tells of two at least.
   */
  boolean tellOf(int maps) {
    return Math.min(found(), launched()) >= Math.max(LEAST, maps - Math.max(FEW, maps / FEW_OF));
  }

  /** Maps of which the coordinator tells where they found their input. */
  long found() {
    return places.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Maps of which the coordinator tells how well they were foretold. */
  long launched() {
    return launches.size();
  }

  /** Launches by as what they count. */
  Map<String, Long> launches() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String verdict : List.of("RIGHT", "LATE", "MISSED", "LOCAL")) {
      counts.put(verdict.toLowerCase(Locale.ROOT), count(verdict));
    }
    counts.put("sudden", sudden());
    counts.put("wrong", wrong());
    return counts;
  }

  private long sudden() {
    return count(launch -> launch.path("sudden").asBoolean());
  }

  private long count(Predicate<JsonNode> which) {
    return launches.stream().filter(which).count();
  }

  private long count(String verdict) {
    return count(launch -> launch.path("verdict").asText().equals(verdict));
  }

  private long wrong() {
    return count(launch -> launch.path("wrong").asBoolean());
  }

  /** Part of the maps away from their input that had it in time; 1 without any. */
  double ready() {
    double ready = places.get("ready") + places.get("confirmedReady");
    long away = found() - places.get("local");
    return away == 0 ? 1 : ready / away;
  }

  /** Part of all maps that had a replica on their host, or their input in time; 0 without any. */
  double prepared() {
    double prepared = places.get("local") + places.get("ready") + places.get("confirmedReady");
    return found() == 0 ? 0 : prepared / found();
  }

  /**
   * Part of the launches away from their input that were foretold there two seconds before; 0
   * without any.
   */
  double recall() {
    return part(count("RIGHT"), launches.size() - count("LOCAL"));
  }

  /** The same without those of which no prediction could know in time. */
  double saturatedRecall() {
    return part(count("RIGHT"), launches.size() - count("LOCAL") - sudden());
  }

  /**
   * The same of so many maps away from their input, also of those that were launched before the
   * coordinator could hear of them.
   */
  double rawRecall(long away) {
    return part(count("RIGHT"), away);
  }

  /** Part of the launches foretold away from their input that came so; 0 without any. */
  double precision() {
    return part(count("RIGHT"), count("RIGHT") + wrong());
  }

  private static double part(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  /**
   * Mean seconds between launches away from their input and when they were foretold there; empty if
   * none was.
   */
  OptionalDouble secondsOfError() {
    return launches.stream()
        .filter(launch -> !launch.path("local").asBoolean())
        .filter(launch -> launch.path("expected").asText().equals(launch.path("host").asText()))
        .mapToDouble(launch -> Math.abs(launch.path("earlyMillis").asLong()) / 1e3)
        .average();
  }
}
