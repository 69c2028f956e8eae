package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.Status;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.util.Locale;
import java.util.stream.Collectors;

/** The state of a cluster as people read it. */
final class StatusText {
  private StatusText() {}

  /** What was started, and what to do with it. */
  static String summary(Cluster cluster) {
    String plugins =
        cluster.spec().plugins().stream().map(Plugin::pluginName).collect(Collectors.joining(", "));
    String name = cluster.spec().name();
    String option = name.equals("default") ? "" : " --name " + name;
    return """
        cluster %s: Hadoop %s on %d workers in %d racks, plugins: %s
        try: orchestra cluster hadoop%s hdfs dfs -ls /
             orchestra cluster status%s
             orchestra cluster down%s
        """
        .formatted(
            name,
            cluster.state().hadoopVersion(),
            cluster.plan().workers().size(),
            cluster.spec().racks(),
            plugins.isEmpty() ? "none" : plugins,
            option,
            option,
            option);
  }

  static String full(Status status) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "cluster %s: Hadoop %s, plugins: %s%s",
        status.name(),
        status.hadoopVersion(),
        status.plugins().isEmpty() ? "none" : String.join(", ", status.plugins()),
        status.ready() ? "" : " (not completely started)");
    line(
        text,
        "%d of %d DataNodes live, %d NodeManagers active",
        status.liveDataNodes(),
        status.workers(),
        status.activeNodeManagers());
    line(text, "");
    line(text, "%-8s %-8s %-12s %s", "HOST", "PLACE", "ADDRESS", "DAEMONS (pid)");
    for (Status.HostStatus host : status.hosts()) {
      String daemons =
          host.daemons().entrySet().stream()
              .map(d -> d.getKey() + " " + (d.getValue() == 0 ? "DOWN" : "(" + d.getValue() + ")"))
              .collect(Collectors.joining(", "));
      line(text, "%-8s %-8s %-12s %s", host.name(), host.place(), host.address(), daemons);
    }
    line(text, "");
    line(text, "%-8s %-10s %12s %12s", "LINK", "RATE", "BYTES UP", "BYTES DOWN");
    for (Status.LinkStatus link : status.links()) {
      line(
          text,
          "%-8s %-10s %12d %12d%s",
          link.name(),
          link.rate(),
          link.up(),
          link.down(),
          link.cut() ? "  CUT" : "");
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
