package io.orchestra.hadoop.prefetch.appmaster;

import io.orchestra.hadoop.core.daemon.ProcessorTime;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.rpc.AgentClient;
import io.orchestra.hadoop.prefetch.rpc.CoordinatorAddresses;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.JobReportResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.impl.MapAttempts;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports from an application master until its job ends. */
public final class ReporterThread {
  private static final Logger LOG = LoggerFactory.getLogger(ReporterThread.class);
  private static final Duration TIME_LIMIT = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofMillis(100);

  private ReporterThread() {}

  /**
   * @param conf of the job
   * @throws IOException if it is not known who this application master is
   */
  public static void start(AppContext context, Configuration conf, PrefetchConfig config)
      throws IOException {
    if (CoordinatorAddresses.areProxied(conf)) {
      LOG.info("Behind an AMRMProxy the scheduler hears nothing of this job, which runs as ever");
      return;
    }
    UserGroupInformation master = UserGroupInformation.getCurrentUser();
    List<Reporter.Connection> connections = new ArrayList<>();
    for (InetSocketAddress address : CoordinatorAddresses.of(conf, config.agentPort())) {
      connections.add(() -> open(conf, master, CoordinatorAddresses.resolvedNow(address)));
    }
    JobSurvey survey = new JobSurvey(MapInputs.OF_MAPREDUCE, context.getClock()::getTime);
    InputLookup inputs =
        new InputLookup(
            map ->
                master.doAs(
                    (PrivilegedExceptionAction<List<InputBlockProto>>) () -> blocks(conf, map)));
    Reporter reporter =
        new Reporter(
            () -> context.getAllJobs().values(), survey, inputs, connections, ProcessorTime::nanos);
    Thread thread =
        new Thread(
            () -> {
              run(reporter::report, reporter::mayHaveNews, reporter::hasNews);
              end(inputs, reporter);
            },
            "orchestra-prefetch-agent");
    thread.setDaemon(true);
    thread.start();
  }

  private static List<InputBlockProto> blocks(Configuration conf, Task map) throws IOException {
    Optional<TaskSplitIndex> index = MapAttempts.split(map);
    return index.isPresent()
        ? InputBlocks.of(conf, InputSplits.read(conf, index.get()))
        : List.of();
  }

  private static Reporter.Target open(
      Configuration conf, UserGroupInformation master, InetSocketAddress address)
      throws IOException {
    AgentClient client = new AgentClient(conf, master, address, TIME_LIMIT);
    return new Reporter.Target() {
      @Override
      public JobReportResponseProto report(JobReportProto report) throws IOException {
        return client.report(report);
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /**
   * Ends at once after an Error: whoever lets one out of a thread ends the application master
   * (YarnUncaughtExceptionHandler).
   *
   * @param report says how long to wait before the next; empty if there is none
   * @param mayHaveNews asked once in a wait; if not, nobody looks for news
   * @param hasNews ends a wait
   */
  static void run(
      Supplier<Optional<Duration>> report, BooleanSupplier mayHaveNews, BooleanSupplier hasNews) {
    try {
      for (Optional<Duration> pause = report.get(); pause.isPresent(); pause = report.get()) {
        Duration look = mayHaveNews.getAsBoolean() ? LOOK : pause.get();
        await(pause.get(), look, hasNews);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      tell(e);
    }
  }

  /** Closes all of these, whatever happens. */
  static void end(Closeable... parts) {
    for (Closeable part : parts) {
      try {
        part.close();
      } catch (Throwable e) {
        tell(e);
      }
    }
  }

  private static void await(Duration pause, Duration look, BooleanSupplier hasNews)
      throws InterruptedException {
    long end = System.nanoTime() + pause.toNanos();
    long left = pause.toNanos();
    do {
      TimeUnit.NANOSECONDS.sleep(Math.min(look.toNanos(), left));
      left = end - System.nanoTime();
    } while (left > 0 && !hasNews.getAsBoolean());
  }

  private static void tell(Throwable trouble) {
    try {
      LOG.warn("The scheduler hears no more of this job, which runs on as ever", trouble);
    } catch (Throwable again) {
      // Without memory even the log may fail.
    }
  }
}
