package io.orchestra.hadoop.prefetch.algorithm.shadow;

import com.google.common.collect.EvictingQueue;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Launches that were told of while a prediction was made: it foretells them once more. Not safe for
 * concurrent use.
 */
public final class RecentLaunches {
  private static final int MOST = 20_000;

  private record Launch(TaskName task, long heardAt) {}

  private final Queue<Launch> launches = EvictingQueue.create(MOST);

  /**
   * A task was launched.
   *
   * @param now nanoseconds
   */
  public void launched(String job, String task, long now) {
    launches.add(new Launch(new TaskName(job, task), now));
  }

  /**
   * What is still ahead of a prediction. Nothing older may be asked about after it.
   *
   * @param takenAt nanoseconds when that was seen which it follows from
   */
  public List<Prediction> ahead(List<Prediction> predictions, long takenAt) {
    launches.removeIf(launch -> launch.heardAt() - takenAt < 0);
    Set<TaskName> launched = launches.stream().map(Launch::task).collect(Collectors.toSet());
    return predictions.stream()
        .filter(prediction -> !launched.contains(new TaskName(prediction.app(), prediction.task())))
        .toList();
  }
}
