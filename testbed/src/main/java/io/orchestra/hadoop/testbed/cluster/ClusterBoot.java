package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts clusters.
 *
 * <p>After a failure or Ctrl-C nothing runs; only the logs are kept, until the next start or stop.
 */
public final class ClusterBoot {
  private final TestbedHome home;
  private final Project project;
  private final Progress progress;

  public ClusterBoot(TestbedHome home, Project project, Progress progress) {
    this.home = home;
    this.project = project;
    this.progress = progress;
  }

  /** Starts a cluster and returns once all its daemons are at work. */
  public Cluster up(ClusterSpec spec) {
    Prerequisites.require();
    home.prepare();
    ClusterDirectory directory = home.cluster(spec.name());
    try (ClusterLock ignored = ClusterLock.take(home, spec.name())) {
      refuseIfUp(spec.name());
      ClusterFiles.requirePlugins(spec.plugins(), project);
      HadoopHome hadoop = new HadoopHomes(home, progress).of(spec);
      HostProcesses hosts = new HostProcesses(directory.root(), ProcessTable.ofThisMachine());
      new ClusterTeardown(home).remove(directory);
      Rollback.onFailure(
          () -> start(spec, directory, hadoop, hosts),
          () -> {
            progress.say("stopping what was started; logs stay in " + directory.root());
            hosts.killAll();
          });
    }
    return Cluster.find(home, spec.name());
  }

  private void refuseIfUp(String name) {
    if (home.cluster(name).state().toFile().exists()
        && !new HostProcesses(home.cluster(name).root(), ProcessTable.ofThisMachine())
            .running()
            .isEmpty()
        && isReady(name)) {
      throw new TestbedException(
          "cluster '" + name + "' is up already: 'cluster down' it first, or give this --name");
    }
  }

  private boolean isReady(String name) {
    return new StateFile(home.cluster(name).state()).read().filter(ClusterState::ready).isPresent();
  }

  private void start(
      ClusterSpec spec, ClusterDirectory directory, HadoopHome hadoop, HostProcesses processes) {
    NetworkPlan plan = spec.network();
    StateFile file = new StateFile(directory.state());
    ClusterFiles files = new ClusterFiles(spec, directory, home);
    files.layOut(hadoop, project);

    progress.say("starting " + plan.hosts().size() + " hosts and their network");
    List<String> names = new ArrayList<>(plan.hosts().stream().map(Host::name).toList());
    names.add(NetworkPlan.FABRIC);
    Map<String, ProcessIdentity> running =
        processes.start(names, files.initScript(), home.mountPoint());
    ClusterState state =
        new ClusterState(
            spec, false, hadoop.root().toString(), hadoop.version(), running, Map.of(), Map.of());
    file.write(state);
    Cluster cluster = new Cluster(home, state);
    cluster.wiring().build();

    new DaemonBoot(cluster, progress).start();
    file.write(state.withReady());
    progress.say("cluster '" + spec.name() + "' is ready");
  }
}
