package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a person asked for.
 *
 * @param name the cluster's name
 * @param racks how many racks
 * @param hostsPerRack how many workers in each
 * @param hostRate of the link of each worker
 * @param uplinkRate of the link of each rack
 * @param hadoopVersion which Hadoop to assemble, unless there is a {@code hadoopHome}
 * @param hadoopHome the directory of an unpacked release to use, or nothing
 * @param highlyAvailable whether there are two NameNodes and two ResourceManagers
 * @param yarn whether there is more than HDFS
 * @param kerberos whether everybody must prove who he is
 * @param plugins those that are switched on
 * @param settings laid over all others
 */
public record ClusterSpec(
    String name,
    int racks,
    int hostsPerRack,
    Rate hostRate,
    Rate uplinkRate,
    String hadoopVersion,
    String hadoopHome,
    boolean highlyAvailable,
    boolean yarn,
    boolean kerberos,
    List<Plugin> plugins,
    List<Setting> settings) {

  public ClusterSpec {
    plugins = List.copyOf(plugins);
    settings = List.copyOf(settings);
    if (kerberos && highlyAvailable) {
      throw new IllegalArgumentException(
          "a cluster has either two masters or Kerberos, since the KDC is on the first master and ends with it: leave out --ha or --secure");
    }
  }

  /** Without Kerberos: as stock Hadoop, it believes whatever name a client gives. */
  public ClusterSpec(
      String name,
      int racks,
      int hostsPerRack,
      Rate hostRate,
      Rate uplinkRate,
      String hadoopVersion,
      String hadoopHome,
      boolean highlyAvailable,
      boolean yarn,
      List<Plugin> plugins,
      List<Setting> settings) {
    this(
        name,
        racks,
        hostsPerRack,
        hostRate,
        uplinkRate,
        hadoopVersion,
        hadoopHome,
        highlyAvailable,
        yarn,
        false,
        plugins,
        settings);
  }

  /** The same cluster, where everybody must prove who he is or not. */
  public ClusterSpec withKerberos(boolean other) {
    return copy(other, plugins, settings);
  }

  /** The same cluster with more settings, laid over those it has. */
  public ClusterSpec with(List<Setting> moreSettings) {
    List<Setting> all = new ArrayList<>(settings);
    all.addAll(moreSettings);
    return with(plugins, all);
  }

  /** The same cluster with other plugins and settings. */
  public ClusterSpec with(List<Plugin> otherPlugins, List<Setting> otherSettings) {
    return copy(kerberos, otherPlugins, otherSettings);
  }

  private ClusterSpec copy(
      boolean otherKerberos, List<Plugin> otherPlugins, List<Setting> otherSettings) {
    return new ClusterSpec(
        name,
        racks,
        hostsPerRack,
        hostRate,
        uplinkRate,
        hadoopVersion,
        hadoopHome,
        highlyAvailable,
        yarn,
        otherKerberos,
        otherPlugins,
        otherSettings);
  }

  public Optional<Path> unpackedHadoop() {
    return hadoopHome.isEmpty() ? Optional.empty() : Optional.of(Path.of(hadoopHome));
  }

  public NetworkPlan network() {
    return new NetworkPlan(racks, hostsPerRack, highlyAvailable ? 2 : 1, hostRate, uplinkRate);
  }

  /** The daemons that belong on a host. */
  public List<Daemon> daemons(Host host) {
    List<Daemon> daemons = new ArrayList<>();
    boolean master = host.place().equals(NetworkPlan.CORE);
    daemons.add(master ? Daemon.NAMENODE : Daemon.DATANODE);
    if (yarn) {
      daemons.add(master ? Daemon.RESOURCEMANAGER : Daemon.NODEMANAGER);
      if (host.equals(network().masters().get(0))) {
        daemons.add(Daemon.HISTORYSERVER);
      }
    }
    return daemons;
  }
}
