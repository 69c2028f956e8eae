package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.network.Rate;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What is remembered of a cluster between commands.
 *
 * @param spec what was asked for
 * @param ready whether its start was completed
 * @param hadoopHome the Hadoop it runs
 * @param hadoopVersion that Hadoop's version
 * @param hosts the first process of each host, and of the fabric
 * @param changedRates rates of links that are no longer as the spec says
 * @param cutLinks names of links that carry nothing now, each with true
 */
public record ClusterState(
    ClusterSpec spec,
    boolean ready,
    String hadoopHome,
    String hadoopVersion,
    Map<String, ProcessIdentity> hosts,
    Map<String, Rate> changedRates,
    Map<String, Boolean> cutLinks) {

  public ClusterState {
    hosts = ImmutableMap.copyOf(hosts);
    changedRates = ImmutableMap.copyOf(changedRates);
    cutLinks = ImmutableMap.copyOf(cutLinks);
  }

  public ClusterState withReady() {
    return new ClusterState(spec, true, hadoopHome, hadoopVersion, hosts, changedRates, cutLinks);
  }

  /** With other plugins and settings; the network and the daemons stay as they are. */
  public ClusterState withSpec(ClusterSpec other) {
    return new ClusterState(other, ready, hadoopHome, hadoopVersion, hosts, changedRates, cutLinks);
  }

  public ClusterState withRate(String link, Rate rate) {
    Map<String, Rate> rates = new HashMap<>(changedRates);
    rates.put(link, rate);
    return new ClusterState(spec, ready, hadoopHome, hadoopVersion, hosts, rates, cutLinks);
  }

  public ClusterState withCut(String link, boolean cut) {
    Map<String, Boolean> links = new HashMap<>(cutLinks);
    if (cut) {
      links.put(link, true);
    } else {
      links.remove(link);
    }
    return new ClusterState(spec, ready, hadoopHome, hadoopVersion, hosts, changedRates, links);
  }

  public HadoopHome hadoop() {
    return new HadoopHome(Path.of(hadoopHome), hadoopVersion);
  }

  /** The rate of a link now. */
  public Rate rate(String link) {
    return changedRates.getOrDefault(link, spec.network().link(link).orElseThrow().rate());
  }

  public boolean isCut(String link) {
    return cutLinks.containsKey(link);
  }
}
