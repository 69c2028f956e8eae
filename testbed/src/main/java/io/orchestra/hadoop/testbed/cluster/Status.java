package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.LinkCounters.LinkBytes;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import io.orchestra.hadoop.testbed.process.RunningProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a cluster is and how it fares at one moment.
 *
 * @param liveDataNodes as the NameNode counts them
 * @param activeNodeManagers as the ResourceManager counts them
 */
public record Status(
    String name,
    boolean ready,
    String hadoopVersion,
    List<String> plugins,
    int workers,
    int liveDataNodes,
    int activeNodeManagers,
    List<HostStatus> hosts,
    List<LinkStatus> links) {

  /**
   * @param daemons the pid on this machine of each daemon that should run; zero if it does not
   */
  public record HostStatus(String name, String place, String address, Map<String, Long> daemons) {}

  /**
   * @param up bytes towards the core so far
   * @param down bytes from the core so far
   */
  public record LinkStatus(String name, String rate, boolean cut, long up, long down) {}

  public static Status of(Cluster cluster) {
    Health health = new Health(cluster);
    return new Status(
        cluster.spec().name(),
        cluster.state().ready(),
        cluster.state().hadoopVersion(),
        cluster.spec().plugins().stream().map(Plugin::pluginName).toList(),
        cluster.plan().workers().size(),
        health.liveDataNodes(),
        cluster.spec().yarn() ? health.activeNodeManagers() : 0,
        hosts(cluster),
        links(cluster));
  }

  private static List<HostStatus> hosts(Cluster cluster) {
    List<RunningProcess> processes = ProcessTable.ofThisMachine().all();
    List<HostStatus> hosts = new ArrayList<>();
    for (Host host : cluster.plan().hosts()) {
      Map<String, Long> daemons = new LinkedHashMap<>();
      for (Daemon daemon : cluster.spec().daemons(host)) {
        Optional<ProcessIdentity> process = cluster.daemons().find(processes, host, daemon);
        daemons.put(daemon.daemonName(), process.map(ProcessIdentity::pid).orElse(0L));
      }
      hosts.add(new HostStatus(host.name(), host.place(), host.address(), daemons));
    }
    return hosts;
  }

  private static List<LinkStatus> links(Cluster cluster) {
    Map<String, LinkBytes> bytes = cluster.linkCounters().read();
    return cluster.plan().links().stream()
        .map(
            link ->
                new LinkStatus(
                    link.name(),
                    cluster.state().rate(link.name()).toString(),
                    cluster.state().isCut(link.name()),
                    bytes.get(link.name()).up(),
                    bytes.get(link.name()).down()))
        .toList();
  }
}
