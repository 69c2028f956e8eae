package io.orchestra.hadoop.prefetch.appmaster;

import com.google.common.collect.Iterables;
import io.orchestra.hadoop.core.daemon.DutyCycle;
import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a job again and again to whichever ResourceManager is active, until the job ends.
 * Whatever fails, the job runs on without it: the pause until all of them are tried again doubles,
 * up to five seconds. Used by one thread.
 */
final class Reporter implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** Two minutes, or more where connections time out: longer than a failover. */
  private static final int ROUNDS_UNHEARD = 24;

  /** So much longer than what looks at the job compute are the pauses, on average. */
  private static final int REST = 20;

  /** One ResourceManager, perhaps the active one. */
  interface Target extends Closeable {
    JobReportResponseProto report(JobReportProto report) throws IOException;
  }

  /** Connects to a ResourceManager. */
  @FunctionalInterface
  interface Connection {
    Target open() throws IOException;
  }

  private final Supplier<Collection<Job>> jobs;
  private final JobSurvey survey;
  private final InputLookup inputs;
  private final List<Connection> connections;
  private final LongSupplier work;
  private final DutyCycle looks = new DutyCycle(REST);
  private int next;
  private Target target;
  private boolean heard;
  private boolean prompt;
  private int failedRounds;
  private long epoch;
  private Duration pause = FIRST_PAUSE;

  /**
   * @param jobs of the application master: one, and none before it has begun
   * @param inputs of maps the ResourceManager asks about
   * @param connections one for each ResourceManager
   * @param work nanoseconds of the processor that this thread has had
   */
  Reporter(
      Supplier<Collection<Job>> jobs,
      JobSurvey survey,
      InputLookup inputs,
      List<Connection> connections,
      LongSupplier work) {
    this.jobs = jobs;
    this.survey = survey;
    this.inputs = inputs;
    this.connections = connections;
    this.work = work;
  }

  /**
   * Reports once, or fails to; throws nothing but Errors.
   *
   * @return the time to the next report; empty if there is nothing to report any more
   */
  Optional<Duration> report() {
    try {
      Job job = Iterables.getFirst(jobs.get(), null);
      // Before it is initialized it has no maps, and nobody knows whether it is an uber job.
      if (job == null || job.getState() == JobState.NEW) {
        return Optional.of(FIRST_PAUSE);
      }
      if (hasEnded(job) || isBeyondUs(job)) {
        close();
        return Optional.empty();
      }
      if (!tellSomebody(job)) {
        failedRounds++;
        pause = longer(pause);
      }
    } catch (RuntimeException e) {
      LOG.debug("The job could not be looked at", e);
      pause = longer(pause);
    }
    if (!heard && failedRounds >= ROUNDS_UNHEARD) {
      LOG.info("No scheduler wants to hear of this job, which runs as ever");
      return Optional.empty();
    }
    return Optional.of(pause);
  }

  /** Whether it is worth a look whether there is news before the next report. */
  boolean mayHaveNews() {
    return survey.hasReaders() || prompt && survey.hasWaiting();
  }

  /**
   * Looks how far maps have got. Whether the next report should not wait: the scheduler wants to
   * know who has a container. Throws nothing but Errors.
   */
  boolean hasNews() {
    try {
      survey.lookAtReaders();
      return prompt && survey.hasAssignment();
    } catch (RuntimeException e) {
      LOG.debug("The job could not be looked at", e);
      return false;
    }
  }

  private static boolean hasEnded(Job job) {
    JobState state = job.getState();
    return state == JobState.SUCCEEDED
        || state == JobState.FAILED
        || state == JobState.KILLED
        || state == JobState.ERROR;
  }

  /** The maps of an uber job run in the application master itself. */
  private static boolean isBeyondUs(Job job) {
    return job.isUber() || job.getTotalMaps() > AgentProtocol.MOST_MAPS;
  }

  /** Tries each ResourceManager once, first the one that answered last. */
  private boolean tellSomebody(Job job) {
    for (int tried = 0; tried < connections.size(); tried++) {
      try {
        send(job);
        return true;
      } catch (IOException | RuntimeException e) {
        LOG.debug("A report did not arrive; the next one goes to another ResourceManager", e);
        survey.startAnew();
        close();
        next = (next + 1) % connections.size();
      }
    }
    return false;
  }

  private void send(Job job) throws IOException {
    if (target == null) {
      target = connections.get(next).open();
    }
    long before = work.getAsLong();
    JobReportProto report = survey.report(job).toBuilder().addAllInputs(inputs.take()).build();
    Duration rest = Duration.ofNanos(looks.pauseAfter(work.getAsLong() - before));
    JobReportResponseProto response = target.report(report);
    heard = true;
    prompt = response.getPrompt();
    inputs.ask(job, response.getWantedList());
    if (response.getEpoch() == epoch) {
      survey.arrived();
    } else {
      // It may have started since it heard of us: it gets everything with the next report.
      epoch = response.getEpoch();
      survey.startAnew();
    }
    Duration asked = Duration.ofMillis(Math.max(100, response.getMillisToNext()));
    pause = asked.compareTo(rest) > 0 ? asked : rest;
  }

  /** Leaves the ResourceManager; another report would go to it all the same. */
  @Override
  public void close() {
    if (target != null) {
      try {
        target.close();
      } catch (IOException e) {
        LOG.debug("A connection did not end cleanly", e);
      }
      target = null;
    }
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }
}
