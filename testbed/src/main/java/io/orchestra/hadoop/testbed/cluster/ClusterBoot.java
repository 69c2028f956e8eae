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

/** Starts one cluster; whoever calls this holds its lock and stops what is left of a failure. */
final class ClusterBoot {
  private final TestbedHome home;
  private final Project project;
  private final Progress progress;

  ClusterBoot(TestbedHome home, Project project, Progress progress) {
    this.home = home;
    this.project = project;
    this.progress = progress;
  }

  /** Fails with the reason if such a cluster cannot be started; changes nothing. */
  HadoopHome check(ClusterSpec spec) {
    refuseIfUp(spec.name());
    ClusterFiles.require(spec, project);
    return new HadoopHomes(home, progress).of(spec);
  }

  private void refuseIfUp(String name) {
    ClusterDirectory directory = home.cluster(name);
    if (isReady(name)
        && !new HostProcesses(directory.root(), ProcessTable.ofThisMachine()).running().isEmpty()) {
      throw new TestbedException(
          "cluster '" + name + "' is up already: 'cluster down' it first, or give this --name");
    }
  }

  private boolean isReady(String name) {
    return new StateFile(home.cluster(name).state()).read().filter(ClusterState::ready).isPresent();
  }

  /** Starts everything and returns once all daemons are at work; nothing may be there before. */
  Cluster start(ClusterSpec spec, HadoopHome hadoop, ProgramClasses.Source classes) {
    NetworkPlan plan = spec.network();
    ClusterDirectory directory = home.cluster(spec.name());
    ClusterFiles files = new ClusterFiles(spec, directory, home);
    files.layOut(hadoop, classes, project);

    progress.say("starting " + plan.hosts().size() + " hosts and their network");
    List<String> names = new ArrayList<>(plan.hosts().stream().map(Host::name).toList());
    names.add(NetworkPlan.FABRIC);
    Map<String, ProcessIdentity> running =
        new HostProcesses(directory.root(), ProcessTable.ofThisMachine())
            .start(names, files.initScript(), home.mountPoint());
    StateFile file = new StateFile(directory.state());
    ClusterState state =
        new ClusterState(
            spec, false, hadoop.root().toString(), hadoop.version(), running, Map.of(), Map.of());
    file.write(state);
    Cluster cluster = new Cluster(home, state);
    cluster.wiring().build();

    new DaemonBoot(cluster, progress).start();
    file.update(ClusterState::withReady);
    progress.say("cluster '" + spec.name() + "' is ready");
    return cluster;
  }
}
