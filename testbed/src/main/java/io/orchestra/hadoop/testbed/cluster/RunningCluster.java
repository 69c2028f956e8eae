package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.SignalScope;
import java.util.List;
import java.util.function.Function;

/**
 * A cluster that this thread has to itself, from before its start until it is closed.
 *
 * <p>No other command can break or stop it meanwhile. At SIGINT and SIGTERM the thread that started
 * it is interrupted, and this process ends only after that thread has closed it. Closing kills
 * every process of the cluster and waits until they are gone; what the hosts have stored, their
 * logs first, is kept until the next start or stop, unless {@link #succeeded} was called before.
 */
public final class RunningCluster implements AutoCloseable {
  private static final int LONGEST_SECONDS = 300;

  private enum End {
    LEAVE,
    KEEP_LOGS,
    REMOVE
  }

  private final TestbedHome home;
  private final Project project;
  private final Progress progress;
  private final ClusterDirectory directory;
  private final SignalScope signals;
  private final ClusterLock lock;
  private Cluster cluster;
  private End end = End.LEAVE;

  private RunningCluster(
      TestbedHome home,
      Project project,
      Progress progress,
      ClusterDirectory directory,
      SignalScope signals,
      ClusterLock lock) {
    this.home = home;
    this.project = project;
    this.progress = progress;
    this.directory = directory;
    this.signals = signals;
    this.lock = lock;
  }

  /**
   * Starts a cluster and returns once all its daemons are at work. If that fails nothing runs any
   * more, and the logs are kept; a cluster of this name that is up already is left alone.
   */
  public static RunningCluster up(
      TestbedHome home, Project project, ClusterSpec spec, Progress progress) {
    ClassRecording.refuseItsName(spec.name());
    ClassRecording recording = new ClassRecording(home, project, progress);
    return up(home, project, spec, progress, hadoop -> recording.before(spec, hadoop));
  }

  /** The same for the cluster whose programs list the classes that they load. */
  static RunningCluster listingClasses(
      TestbedHome home, Project project, ClusterSpec spec, Progress progress) {
    return up(home, project, spec, progress, hadoop -> ProgramClasses.Source.JARS_AND_LISTED);
  }

  private static RunningCluster up(
      TestbedHome home,
      Project project,
      ClusterSpec spec,
      Progress progress,
      Function<HadoopHome, ProgramClasses.Source> classes) {
    ClusterDirectory directory = home.cluster(spec.name());
    Prerequisites.require();
    home.prepare();
    return Opened.then(
        SignalScope.begin(),
        signals -> {
          ClusterLock lock = ClusterLock.take(home, spec.name());
          return Opened.prepared(
              new RunningCluster(home, project, progress, directory, signals, lock),
              running -> running.start(spec, classes));
        });
  }

  private void start(ClusterSpec spec, Function<HadoopHome, ProgramClasses.Source> classes) {
    ClusterBoot boot = new ClusterBoot(home, project, progress);
    HadoopHome hadoop = boot.check(spec);
    ProgramClasses.Source source = classes.apply(hadoop);
    end = End.KEEP_LOGS;
    new ClusterTeardown(home).remove(directory);
    cluster = boot.start(spec, hadoop, source);
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Breaks and mends the cluster, under the lock that this holds. */
  public Faults faults() {
    return Faults.of(cluster);
  }

  /**
   * Gives every process that starts from now on the configuration, and the jars, that it would have
   * if the cluster had been started with these plugins and settings.
   *
   * <p>Daemons that run go on as they are until they are restarted or told to read their files
   * again. Jars of plugins that are no longer on stay on the class paths.
   *
   * @param settings they take the place of all earlier ones but the spec's overrides
   */
  public void reconfigure(List<Plugin> plugins, List<Setting> settings) {
    ClusterState state = cluster.state();
    ClusterSpec spec = state.spec().with(plugins, settings);
    ClusterFiles.requirePlugins(plugins, project);
    new ClusterFiles(spec, directory, home).configure(state.hadoop(), project);
    cluster.stateFile().update(before -> before.withSpec(spec));
  }

  /**
   * Lets daemons of one kind that start from now on have the settings that are there now, whatever
   * {@link #reconfigure} gives others later.
   */
  public void keepConfiguration(Daemon daemon) {
    new ClusterFiles(cluster.spec(), directory, home).keep(daemon);
  }

  /**
   * Restarts every daemon but the JobHistoryServer, so that the configuration of {@link
   * #reconfigure} holds everywhere but where {@link #keepConfiguration} has kept another; what HDFS
   * has stored stays. NodeManagers forget what they have localized. Returns once all are at work.
   */
  public void restart() {
    new DaemonBoot(cluster, progress).restart();
  }

  /**
   * Returns once the active NameNode has left safe mode and all workers are at work, after some
   * were restarted.
   */
  public void awaitWorkers() {
    Health health = new Health(cluster);
    int workers = cluster.plan().workers().size();
    Waiting.until(health::outOfSafeMode, "the NameNode to leave safe mode", LONGEST_SECONDS);
    Waiting.until(() -> health.liveDataNodes() == workers, workers + " DataNodes", LONGEST_SECONDS);
    if (cluster.spec().yarn()) {
      Waiting.until(
          () -> health.activeNodeManagers() == workers, workers + " NodeManagers", LONGEST_SECONDS);
    }
  }

  /** What the cluster was for has been done: closing removes all it has stored. */
  public void succeeded() {
    end = End.REMOVE;
  }

  /** Closing gives the cluster free and leaves it running. */
  public void leaveRunning() {
    end = End.LEAVE;
  }

  @Override
  public void close() {
    signals.beginEnd();
    try (signals;
        lock) {
      switch (end) {
        case LEAVE -> {}
        case KEEP_LOGS -> {
          progress.say("stopping cluster; logs stay in " + directory.root());
          new HostProcesses(directory.root(), ProcessTable.ofThisMachine()).killAll();
        }
        case REMOVE -> new ClusterTeardown(home).remove(directory);
      }
    }
    end = End.LEAVE;
  }
}
