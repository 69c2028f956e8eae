package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.primitives.Ints;
import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.FinishedMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.MapFactsProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.RunningMapProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.WaitingMapProto;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How much an application master may say at once, and which of its numbers make sense. */
final class ReportLimits {
  static final int LONGEST_PLACE = 255;

  /** Each application master begins with the thousand after that of the one before it. */
  private static final int MOST_ATTEMPTS = 1_000_000;

  /** Of one map: it is tried anew when it has failed, and once more if it is slow. */
  private static final int MOST_AT_ONCE = 4;

  private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(7);

  private ReportLimits() {}

  /**
   * @throws IOException that says what cannot be believed
   */
  static void verify(JobReportProto report) throws IOException {
    int most =
        Ints.max(
            report.getFactsCount(),
            report.getFinishedCount(),
            report.getWaitingCount(),
            report.getRunningCount(),
            report.getInputsCount());
    if (most > AgentProtocol.MOST_MAPS) {
      throw new IOException("%d maps, more than %d".formatted(most, AgentProtocol.MOST_MAPS));
    }
    BitSet told = new BitSet();
    for (MapFactsProto map : report.getFactsList()) {
      verify(map);
      if (told.get(map.getTask())) {
        throw new IOException("the facts of the map %d twice".formatted(map.getTask()));
      }
      told.set(map.getTask());
    }
    for (TaskInputProto input : report.getInputsList()) {
      verify(input.getTask(), 0);
    }
    Multiset<Integer> waiting = HashMultiset.create();
    for (WaitingMapProto map : report.getWaitingList()) {
      verify(map.getTask(), map.getAttempt());
      if (waiting.add(map.getTask(), 1) >= MOST_AT_ONCE) {
        throw new IOException(
            "more than %d attempts of the map %d that wait".formatted(MOST_AT_ONCE, map.getTask()));
      }
    }
    for (RunningMapProto map : report.getRunningList()) {
      verify(map.getTask(), map.getAttempt());
    }
    for (FinishedMapProto map : report.getFinishedList()) {
      verify(map.getTask(), map.getAttempt());
    }
  }

  private static void verify(MapFactsProto map) throws IOException {
    verify(map.getTask(), 0);
    int places = map.getHostsCount() + map.getRacksCount();
    if (places > AgentProtocol.MOST_PLACES || map.getInput() < 0) {
      throw new IOException("a map of %d bytes at %d places".formatted(map.getInput(), places));
    }
    verify(map.getHostsList());
    verify(map.getRacksList());
  }

  private static void verify(List<String> places) throws IOException {
    for (String place : places) {
      if (place.length() > LONGEST_PLACE) {
        throw new IOException("a place with a name of %d characters".formatted(place.length()));
      }
    }
  }

  /** Unsigned numbers above the largest signed one are negative here. */
  private static void verify(int task, int attempt) throws IOException {
    if (task < 0 || task >= AgentProtocol.MOST_MAPS || attempt < 0 || attempt >= MOST_ATTEMPTS) {
      throw new IOException("the attempt %d of the map %d".formatted(attempt, task));
    }
  }

  /** Milliseconds as nanoseconds, not less than none and not more than a week. */
  static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(Math.max(0, Math.min(millis, LONGEST_MILLIS)));
  }
}
