package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.network.Rate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
 * @param settings laid over those of the testbed and of plugins
 * @param overrides laid over all others, also over settings that take the place of these
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
    List<Setting> settings,
    List<Setting> overrides) {

  public ClusterSpec {
    plugins = List.copyOf(plugins);
    settings = List.copyOf(settings);
    overrides = List.copyOf(overrides);
    if (kerberos && highlyAvailable) {
      throw new IllegalArgumentException(
          "a cluster has either two masters or Kerberos, since the KDC is on the first master and ends with it: leave out --ha or --secure");
    }
  }

  /**
   * A cluster of the Hadoop that this was built for, with YARN, one master and no plugins. Without
   * Kerberos, as stock Hadoop, it believes whatever name a client gives.
   */
  public static ClusterSpec of(
      String name, int racks, int hostsPerRack, Rate hostRate, Rate uplinkRate) {
    return new ClusterSpec(
        name,
        racks,
        hostsPerRack,
        hostRate,
        uplinkRate,
        Versions.ofThisBuild().hadoop(),
        "",
        false,
        true,
        false,
        List.of(),
        List.of(),
        List.of());
  }

  /** The same cluster of another Hadoop, such as {@code 3.4.2}. */
  public ClusterSpec withHadoop(String version) {
    return copy(version, hadoopHome, highlyAvailable, yarn, kerberos, plugins, settings);
  }

  /**
   * The same cluster of an unpacked release.
   *
   * @param directory of the release, or nothing for one of the version
   */
  public ClusterSpec withHadoopHome(String directory) {
    return copy(hadoopVersion, directory, highlyAvailable, yarn, kerberos, plugins, settings);
  }

  /** The same cluster with two NameNodes and two ResourceManagers, or with one of each. */
  public ClusterSpec withHighAvailability(boolean other) {
    return copy(hadoopVersion, hadoopHome, other, yarn, kerberos, plugins, settings);
  }

  /** The same cluster with YARN, or with HDFS alone. */
  public ClusterSpec withYarn(boolean other) {
    return copy(hadoopVersion, hadoopHome, highlyAvailable, other, kerberos, plugins, settings);
  }

  /** The same cluster, where everybody must prove who he is or not. */
  public ClusterSpec withKerberos(boolean other) {
    return copy(hadoopVersion, hadoopHome, highlyAvailable, yarn, other, plugins, settings);
  }

  /** The same cluster with more settings, laid over those it has. */
  public ClusterSpec with(List<Setting> moreSettings) {
    List<Setting> all = new ArrayList<>(settings);
    all.addAll(moreSettings);
    return with(plugins, all);
  }

  /** The same cluster with other plugins and settings; what overrides these stays. */
  public ClusterSpec with(List<Plugin> otherPlugins, List<Setting> otherSettings) {
    return copy(
        hadoopVersion, hadoopHome, highlyAvailable, yarn, kerberos, otherPlugins, otherSettings);
  }

  private ClusterSpec copy(
      String otherVersion,
      String otherHome,
      boolean otherAvailability,
      boolean otherYarn,
      boolean otherKerberos,
      List<Plugin> otherPlugins,
      List<Setting> otherSettings) {
    return new ClusterSpec(
        name,
        racks,
        hostsPerRack,
        hostRate,
        uplinkRate,
        otherVersion,
        otherHome,
        otherAvailability,
        otherYarn,
        otherKerberos,
        otherPlugins,
        otherSettings,
        overrides);
  }

  /** The same cluster with settings that win over whatever others it has now or is given later. */
  public ClusterSpec overriddenBy(List<Setting> last) {
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
        kerberos,
        plugins,
        settings,
        last);
  }

  /** Settings and overrides, in the order in which they are laid over each other. */
  public List<Setting> allSettings() {
    return Stream.concat(settings.stream(), overrides.stream()).toList();
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
      if (host.equals(network().firstMaster())) {
        daemons.add(Daemon.HISTORYSERVER);
      }
    }
    return daemons;
  }
}
