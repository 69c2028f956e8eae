package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether parts of a plugin run in all daemons of a kind.
 *
 * @param plugin its name
 * @param kind of daemon, such as DataNode
 * @param parts in a sentence
 * @param beans of JMX that a daemon has while the parts run
 */
record BeanCheck(String plugin, String kind, String parts, List<String> beans) {
  static final String BLOCK_CACHE = "Hadoop:service=DataNode,name=OrchestraBlockCache";

  /**
   * @param daemons the web addresses of all that are alive
   * @param often why parts are off where the configuration is right
   */
  void run(LiveCluster cluster, List<URI> daemons, Findings findings, String often) {
    if (daemons.isEmpty()) {
      findings.problem(
          "%s: no %s is alive, so that there is no %s".formatted(plugin, kind, parts),
          "start them; their logs say why they do not register");
      return;
    }
    List<String> without = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    String why = "";
    for (URI daemon : daemons) {
      try {
        for (String bean : beans) {
          if (cluster.bean(daemon, bean).isEmpty()) {
            without.add(daemon.getAuthority());
            break;
          }
        }
      } catch (IOException e) {
        why = silent.isEmpty() ? String.valueOf(e.getMessage()) : why;
        silent.add(daemon.getAuthority());
      }
    }
    if (!without.isEmpty()) {
      findings.problem(
          "%s: no %s on %s".formatted(plugin, parts, Hosts.some(kind, without, daemons.size())),
          "restart them with the present configuration; if that was done, their logs say why it is off: "
              + often);
    }
    if (!silent.isEmpty()) {
      findings.unknown(
          "%s: no answer from %s".formatted(plugin, Hosts.some(kind, silent, daemons.size())),
          "see that their web ports can be reached from here, with HTTPS what ssl-client.xml trusts; the first says: "
              + why);
    }
    if (without.isEmpty() && silent.isEmpty()) {
      findings.ok("%s: %s on %s".formatted(plugin, parts, Hosts.all(kind, daemons.size())));
    }
  }
}
