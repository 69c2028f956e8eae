package io.orchestra.hadoop.operator.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
   * @return what all of them tell
   */
  Answers run(LiveCluster cluster, List<URI> daemons, Findings findings, String often) {
    Map<String, List<JsonNode>> answers = new HashMap<>();
    if (daemons.isEmpty()) {
      findings.problem(
          "%s: no %s is alive, so that there is no %s".formatted(plugin, kind, parts),
          "start them; their logs say why they do not register");
      return new Answers(answers);
    }
    List<String> without = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    String why = "";
    for (URI daemon : daemons) {
      try {
        for (String bean : beans) {
          Optional<JsonNode> answer = cluster.bean(daemon, bean);
          if (answer.isEmpty()) {
            without.add(daemon.getAuthority());
            break;
          }
          answers.computeIfAbsent(bean, unused -> new ArrayList<>()).add(answer.get());
        }
      } catch (IOException e) {
        why = silent.isEmpty() ? String.valueOf(e.getMessage()) : why;
        silent.add(daemon.getAuthority());
      }
    }
    if (!without.isEmpty()) {
      findings.problem(
          "%s: no %s on %s".formatted(plugin, parts, Hosts.some(kind, without, daemons.size())),
          "restart them with the current configuration; if you have, their logs say why it is off: "
              + often);
    }
    if (!silent.isEmpty()) {
      findings.unknown(
          "%s: no answer from %s".formatted(plugin, Hosts.some(kind, silent, daemons.size())),
          "check that their web ports can be reached from here and, with HTTPS, what ssl-client.xml trusts; the first says: "
              + why);
    }
    if (without.isEmpty() && silent.isEmpty()) {
      findings.ok("%s: %s on %s".formatted(plugin, parts, Hosts.all(kind, daemons.size())));
    }
    return new Answers(answers);
  }

  /**
   * What daemons have told.
   *
   * @param beans by their names, one of each daemon that has it
   */
  record Answers(Map<String, List<JsonNode>> beans) {
    /** Of a counter, over all daemons. */
    long sum(String bean, String counter) {
      return beans.getOrDefault(bean, List.of()).stream()
          .mapToLong(answer -> answer.path(counter).asLong())
          .sum();
    }
  }
}
