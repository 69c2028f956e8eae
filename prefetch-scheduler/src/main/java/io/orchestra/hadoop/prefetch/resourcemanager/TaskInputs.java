package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.orchestra.hadoop.core.daemon.LogText;
import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which blocks maps will read, with tokens for them. Application masters say so only of maps they
 * are asked about. Whether a token is any good is seen where the block is brought. Replicas move
 * and tokens expire: what is of no use is asked for again, but not twice in half a minute. Safe for
 * concurrent use.
 */
final class TaskInputs {
  /**
   * Bytes for one job in memory, about: some 4500 maps of a block each. Where more are foretold at
   * once, those that a plan looks at first, which are the next launches, are forgotten first.
   */
  static final long MOST_BYTES = 4 << 20;

  /** Bytes of a map, of a block or of a replica in memory, beside what they say. */
  private static final int ENTRY = 100;

  private static final int MOST_BLOCKS = 8;
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_TOKEN = 1024;
  private static final int MOST_WANTED = 64;

  /** Longer than any block; HDFS has no limit of its own. */
  private static final long LONGEST_BLOCK = 1L << 40;

  /** Much shorter than a token is valid, unless it is said to be short. */
  private static final Duration LONGEST_AGE = Duration.ofHours(1);

  /** What is younger is not asked for again: the NameNode would say the same. */
  private static final long LEAST_AGE = Duration.ofSeconds(30).toNanos();

  /**
   * @param heardAt nanoseconds
   */
  private record Known(TaskInputProto input, long heardAt) {}

  private static final class Job {
    private final Cache<Integer, Known> known =
        CacheBuilder.newBuilder()
            .concurrencyLevel(1)
            .maximumWeight(MOST_BYTES)
            .<Integer, Known>weigher((task, heard) -> size(heard.input()))
            .expireAfterWrite(LONGEST_AGE)
            .build();

    /** Guarded by itself. */
    private final Set<Integer> wanted = new LinkedHashSet<>();

    private Job without(int task) {
      known.invalidate(task);
      return this;
    }
  }

  private final LongSupplier clock;
  private final Map<String, Job> jobs = new ConcurrentHashMap<>();

  /**
   * @param clock nanoseconds
   */
  TaskInputs(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * @throws IOException if this is more than there can be
   */
  static void verify(List<TaskInputProto> inputs) throws IOException {
    for (TaskInputProto input : inputs) {
      verify(input);
    }
  }

  /** Takes in what has been verified. */
  void learn(String job, List<TaskInputProto> inputs) {
    if (inputs.isEmpty()) {
      return;
    }
    Job learning = jobs.computeIfAbsent(job, unused -> new Job());
    long now = clock.getAsLong();
    inputs.forEach(input -> learning.known.put(input.getTask(), new Known(input, now)));
  }

  private static int size(TaskInputProto input) {
    int entries = 1;
    for (InputBlockProto block : input.getBlocksList()) {
      entries += 1 + block.getReplicasCount();
    }
    return ENTRY * entries + input.getSerializedSize();
  }

  /**
   * Bytes that a job's inputs take at most when more are told.
   *
   * @param before what they took before
   */
  static long size(long before, List<TaskInputProto> inputs) {
    long more = inputs.stream().mapToLong(TaskInputs::size).sum();
    return Math.min(MOST_BYTES, before + more);
  }

  private static void verify(TaskInputProto input) throws IOException {
    boolean good = input.getBlocksCount() <= MOST_BLOCKS;
    for (InputBlockProto block : input.getBlocksList()) {
      good &=
          block.getPool().length() <= LONGEST_NAME
              // A DataNode that is to bring it may have to say which block that is.
              && LogText.isPlain(block.getPool())
              && block.getLength() > 0
              && block.getLength() <= LONGEST_BLOCK
              && block.getToken().size() <= LONGEST_TOKEN
              && block.getReplicasCount() <= AgentProtocol.MOST_REPLICAS
              && block.getReplicasList().stream().allMatch(uuid -> uuid.length() <= LONGEST_NAME);
    }
    if (!good) {
      throw new IOException(
          "more than one map reads, as the input of %d".formatted(input.getTask()));
    }
  }

  /** What a map reads; empty if that is not known, without blocks if nobody can bring it. */
  Optional<List<InputBlockProto>> of(String job, int task) {
    return known(job, task).map(known -> known.input().getBlocksList());
  }

  private Optional<Known> known(String job, int task) {
    Job known = jobs.get(job);
    return Optional.ofNullable(known == null ? null : known.known.getIfPresent(task));
  }

  private boolean isOld(String job, int task) {
    return known(job, task)
        .filter(known -> clock.getAsLong() - known.heardAt() >= LEAST_AGE)
        .isPresent();
  }

  /** Nobody has a replica where one is said to be: there may be others by now. */
  void lookForReplicas(String job, int task) {
    if (isOld(job, task)) {
      want(job, task);
    }
  }

  /**
   * A token is of no use: another is asked for when the block is needed again.
   *
   * @return false if it is too young to have expired
   */
  boolean dropToken(String job, int task) {
    boolean isOld = isOld(job, task);
    if (isOld) {
      jobs.computeIfPresent(job, (name, known) -> known.without(task));
    }
    return isOld;
  }

  /** The job's application master is asked the next time it reports. */
  void want(String job, int task) {
    Job asked = jobs.computeIfAbsent(job, unused -> new Job());
    synchronized (asked.wanted) {
      if (asked.wanted.size() < MOST_WANTED) {
        asked.wanted.add(task);
      }
    }
  }

  /** Asked of once; what does not come is wanted again soon. */
  List<Integer> takeWanted(String job) {
    Job asked = jobs.get(job);
    if (asked == null) {
      return List.of();
    }
    List<Integer> taken = new ArrayList<>();
    synchronized (asked.wanted) {
      for (Iterator<Integer> each = asked.wanted.iterator(); each.hasNext(); each.remove()) {
        taken.add(each.next());
      }
    }
    return taken;
  }

  /**
   * Forgets all other jobs, one that has ended may be wanted to tell something once more, and what
   * is too old.
   */
  void retain(Set<String> remaining) {
    jobs.keySet().retainAll(remaining);
    // By itself a cache forgets only while it is used, and these have tokens.
    jobs.values().forEach(job -> job.known.cleanUp());
  }
}
