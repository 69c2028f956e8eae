package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/**
 * A program that asks the daemons of the configuration on its class path what {@code doctor --live}
 * asks, as whoever starts it, and prints what was found. Emulated hosts have no scripts of
 * Hadoop's, which the doctor looks at before.
 */
public final class LiveQuestions {
  private LiveQuestions() {}

  public static void main(String[] arguments) {
    Configuration conf = new Configuration();
    conf.addResource("hdfs-site.xml");
    conf.addResource("yarn-site.xml");
    LiveCluster cluster = new LiveCluster(conf);
    Findings findings = new Findings();
    for (Plugin plugin : Plugins.ALL) {
      try {
        plugin.probe().ask(cluster, findings);
      } catch (IOException e) {
        findings.unanswered(plugin.name(), e);
      }
    }
    findings.all().forEach(finding -> System.out.println(finding.render()));
  }
}
