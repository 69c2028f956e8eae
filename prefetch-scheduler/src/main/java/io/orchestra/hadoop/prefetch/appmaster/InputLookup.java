package io.orchestra.hadoop.prefetch.appmaster;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what maps will read that the ResourceManager asks about, on a thread of its own: a slow
 * NameNode delays no report. Used by one thread otherwise.
 */
final class InputLookup implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(InputLookup.class);

  /** What is beyond is asked about again. */
  private static final int MOST_WAITING = 128;

  private static final Duration PAUSE = Duration.ofSeconds(30);

  /** Finds out what one map reads. */
  @FunctionalInterface
  interface Inputs {
    /**
     * @return empty if nobody can bring it
     */
    List<InputBlockProto> of(Task map) throws IOException, InterruptedException;
  }

  private final Inputs inputs;
  private final ThreadPoolExecutor thread;

  /** Maps that could not be looked up a short while ago. */
  private final Cache<Integer, Boolean> failed;

  // Guarded by this.
  private final Set<Integer> asked = new HashSet<>();
  private final List<TaskInputProto> found = new ArrayList<>();

  InputLookup(Inputs inputs) {
    this(inputs, PAUSE);
  }

  /**
   * @param pause after a failure, before the same map is looked for again
   */
  @VisibleForTesting
  InputLookup(Inputs inputs, Duration pause) {
    this.inputs = inputs;
    failed = CacheBuilder.newBuilder().expireAfterWrite(pause).build();
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread looking = new Thread(task, "orchestra-prefetch-inputs");
              looking.setDaemon(true);
              return looking;
            });
    thread.allowCoreThreadTimeOut(true);
  }

  /** Begins to look for the input of these maps. */
  void ask(Job job, List<Integer> maps) {
    for (int number : maps) {
      TaskId id = MRBuilderUtils.newTaskId(job.getID(), number, TaskType.MAP);
      Task map = job.getTask(id);
      if (map != null && begin(number)) {
        try {
          thread.execute(() -> look(number, map));
        } catch (RejectedExecutionException e) {
          LOG.debug("The input of map {} is looked for another time", number);
          end(number, Optional.empty());
        }
      }
    }
  }

  private synchronized boolean begin(int number) {
    return failed.getIfPresent(number) == null && asked.add(number);
  }

  private void look(int number, Task map) {
    Optional<TaskInputProto> input = Optional.empty();
    try {
      input =
          Optional.of(
              TaskInputProto.newBuilder().setTask(number).addAllBlocks(inputs.of(map)).build());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // An Error that gets out of a thread ends the application master.
      failed.put(number, true);
      LOG.debug("The input of map {} is not found", number, e);
    } finally {
      end(number, input);
    }
  }

  private synchronized void end(int number, Optional<TaskInputProto> input) {
    asked.remove(number);
    input.ifPresent(found::add);
  }

  @VisibleForTesting
  synchronized boolean isLooking() {
    return !asked.isEmpty();
  }

  /** What has been found since the last call. */
  synchronized List<TaskInputProto> take() {
    List<TaskInputProto> taken = List.copyOf(found);
    found.clear();
    return taken;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
