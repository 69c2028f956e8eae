package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.io.Closer;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.algorithm.flow.RateDriver;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.resourcemanager.ReportedJob.Assigned;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation.Foresight;
import io.orchestra.hadoop.prefetch.rpc.AgentServer;
import io.orchestra.hadoop.prefetch.rpc.DaemonServer;
import io.orchestra.hadoop.prefetch.traffic.Shaper;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * Everything of FlexFetch that lives in the active ResourceManager: the ports for application
 * masters and DataNodes, what they say, the shadow, and what comes of it. All of it is soft state,
 * which they tell again after a restart or failover. {@link #close} ends all of it.
 */
public final class Coordinator implements Closeable {
  private final Closer parts;
  private final PrefetchReport.Sources sources;
  private final int agentPort;
  private final int daemonPort;

  private Coordinator(Closer parts, PrefetchReport.Sources sources, int agentPort, int daemonPort) {
    this.parts = parts;
    this.sources = sources;
    this.agentPort = agentPort;
    this.daemonPort = daemonPort;
  }

  /**
   * @param readLock of the scheduler
   * @param tokens of application masters
   * @param allocates whether the scheduler does so already
   * @param believed see {@link Speculation#start}
   * @param web server of the ResourceManager, once it is there
   * @throws IOException if the port cannot be bound; nothing is left running after any failure
   */
  public static Coordinator start(
      FairScheduler scheduler,
      Lock readLock,
      Configuration conf,
      PrefetchConfig config,
      SecretManager<AMRMTokenIdentifier> tokens,
      BooleanSupplier allocates,
      UnaryOperator<List<Prediction>> believed,
      Supplier<Optional<HttpServer2>> web)
      throws IOException {
    Closer parts = Closer.create();
    try {
      long epoch = System.currentTimeMillis();
      TaskInputs inputs = new TaskInputs(System::nanoTime);
      Daemons daemons =
          parts.register(
              new Daemons(
                  new DaemonIdentity(new HdfsConfiguration(conf)),
                  host -> RackResolver.resolve(conf, host).getNetworkLocation(),
                  System::nanoTime,
                  epoch));
      Prefetching prefetching =
          new Prefetching(
              config.fetching(), inputs, daemons, System::nanoTime, driver(config, daemons, parts));
      AtomicReference<PrefetchReport.Sources> sources = new AtomicReference<>();
      AtomicReference<JobReports> heard = new AtomicReference<>();
      PrefetchPage page = parts.register(new PrefetchPage(web, () -> sources.get().report()));
      GuardedTask installation =
          new GuardedTask("The page of the prefetch scheduler", page::install);
      Consumer<Foresight> consequence =
          foresight -> {
            Optional.ofNullable(heard.get()).ifPresent(JobReports::forgetEnded);
            installation.run();
            if (config.fetching().enabled()) {
              prefetching.foretold(foresight);
            }
          };
      Speculation speculation =
          parts.register(
              Speculation.start(scheduler, readLock, config, allocates, believed, consequence));
      sources.set(new PrefetchReport.Sources(speculation, prefetching, daemons));
      View view = new View(scheduler, speculation);
      JobReports reports =
          new JobReports(
              speculation.jobs(),
              view,
              System::nanoTime,
              config.agentInterval(),
              config.fetching().enabled() && config.fetching().confirmed(),
              epoch,
              new Maps(
                  view, config.fetching().enabled() ? Optional.of(prefetching) : Optional.empty()),
              inputs);
      heard.set(reports);
      parts.register(new PredictionMetrics(speculation));
      int daemonPort = 0;
      if (config.fetching().enabled()) {
        parts.register(new PrefetchingMetrics(prefetching, daemons));
        daemons.start(prefetching);
        daemonPort = parts.register(listen(conf, config.daemon(), daemons)).port();
      }
      int agentPort = parts.register(listen(conf, config, tokens, reports)).port();
      return new Coordinator(parts, sources.get(), agentPort, daemonPort);
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  private static RateDriver driver(PrefetchConfig config, Daemons daemons, Closer parts) {
    return switch (config.traffic().driver()) {
      case PACING -> RateDriver.PACING;
      case TC ->
          new TcDriver(
              daemons,
              config.traffic().firstPort(),
              config.traffic().switches().map(Path::of).map(Shaper::new).map(parts::register));
    };
  }

  private record View(FairScheduler scheduler, Speculation speculation)
      implements JobReports.SchedulerView {
    @Override
    public boolean isCurrent(ApplicationAttemptId master) {
      return speculation.isCurrent(master);
    }

    @Override
    public boolean isLive(ContainerId container) {
      return scheduler.getRMContainer(container) != null;
    }

    @Override
    public long lastHeartbeat(ApplicationAttemptId master) {
      return speculation.lastHeartbeat(master);
    }

    @Override
    public String user(ApplicationAttemptId master) {
      FSAppAttempt app = scheduler.getSchedulerApp(master);
      return app == null ? "" : app.getUser();
    }
  }

  private record Maps(View view, Optional<Prefetching> prefetching)
      implements JobReports.Assignments {
    /** Were they foretold, and was their input there? */
    @Override
    public void assigned(ApplicationAttemptId master, List<Assigned> maps) {
      String job = master.getApplicationId().toString();
      List<Prefetching.Assignment> launched = new ArrayList<>();
      for (Assigned map : maps) {
        RMContainer real = view.scheduler().getRMContainer(map.container());
        // In others MapReduce runs no maps.
        if (real != null && ToldAsks.isMap(real)) {
          String host = real.getNodeId().getHost();
          boolean local = map.hosts().contains(host);
          String foretold = view.speculation().assigned(job, map, host, local).foretold();
          launched.add(new Prefetching.Assignment(map.attempt(), host, local, foretold));
        }
      }
      if (!launched.isEmpty()) {
        prefetching.ifPresent(each -> each.launched(job, seen(master), launched));
      }
    }

    /** A first map may have its container before any prediction has seen its job. */
    private JobState seen(ApplicationAttemptId master) {
      return JobState.unforetold(
          view.user(master),
          view.speculation().jobs().view(master).map(JobView::mapNanos).orElse(0L));
    }

    @Override
    public void reading(ApplicationAttemptId master, Set<String> attempts) {
      String job = master.getApplicationId().toString();
      prefetching.ifPresent(each -> attempts.forEach(attempt -> each.reading(job, attempt)));
    }

    @Override
    public void ended(ApplicationAttemptId master, Set<String> attempts) {
      String job = master.getApplicationId().toString();
      prefetching.ifPresent(each -> attempts.forEach(attempt -> each.ended(job, attempt)));
    }
  }

  private static ProtocolServer listen(
      Configuration conf,
      PrefetchConfig config,
      SecretManager<AMRMTokenIdentifier> tokens,
      JobReports reports)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(config.agentBindHost(), config.agentPort());
    try {
      return AgentServer.start(conf, address, config.agentHandlers(), tokens, reports);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s. Set %sagent.port to a free port, here and for all jobs"
              .formatted(address, PrefetchConfig.PREFIX),
          e);
    }
  }

  private static ProtocolServer listen(
      Configuration conf, PrefetchConfig.Daemon config, Daemons daemons) throws IOException {
    InetSocketAddress address = new InetSocketAddress(config.bindHost(), config.port());
    try {
      return DaemonServer.start(new HdfsConfiguration(conf), address, config.handlers(), daemons);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s. Set %sdaemon.port to a free port, here and on all DataNodes"
              .formatted(address, PrefetchConfig.PREFIX),
          e);
    }
  }

  public Speculation speculation() {
    return sources.speculation();
  }

  /** What is foretold and brought. */
  PrefetchReport report() {
    return sources.report();
  }

  /** Where application masters report. */
  public int agentPort() {
    return agentPort;
  }

  /** Where DataNodes poll; 0 if they cannot. */
  public int daemonPort() {
    return daemonPort;
  }

  /**
   * An application has ended, or will be tried again. Called by the scheduler, which waits for
   * nobody here.
   */
  public void forget(ApplicationAttemptId master) {
    sources.speculation().forget(master);
  }

  /** What becomes of predictions. */
  @VisibleForTesting
  Prefetching prefetching() {
    return sources.prefetching();
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
