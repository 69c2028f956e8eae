package io.orchestra.hadoop.operator.doctor;

import java.util.List;

/** Names hosts in a sentence, however many there are. */
final class Hosts {
  private static final int NAMED = 5;

  private Hosts() {}

  /**
   * @param kind of daemon, such as DataNode
   */
  static String all(String kind, int count) {
    return count == 1 ? "the one " + kind : "all %d %ss".formatted(count, kind);
  }

  static String some(String kind, List<String> hosts, int of) {
    String names = String.join(", ", hosts.subList(0, Math.min(NAMED, hosts.size())));
    return "%d of %d %ss: %s%s"
        .formatted(hosts.size(), of, kind, names, hosts.size() > NAMED ? " and others" : "");
  }
}
