package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.SiteSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of the in-process cluster, before it has chosen its ports.
 *
 * @param configuration where clients and containers will find the final ones
 */
record InProcessSettings(HadoopHome hadoop, Path configuration) {
  static final String DIRECTORY = "settings";
  static final String TEMPORARY = "tmp";

  /** Ours; daemons and tasks load them. */
  static final String JARS = "jars";

  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
      """;

  /** Writes them below a directory, and the logging of everything where clients look for it. */
  void write(Path work, Project project, List<Plugin> plugins, List<Setting> settings) {
    SiteSettings sites = new SiteSettings();
    sites.set(Site.CORE, "hadoop.tmp.dir", work.resolve(TEMPORARY) + "/hadoop-${user.name}");
    hdfs(sites);
    yarn(sites);
    mapred(sites, work);
    for (Plugin plugin : plugins) {
      sites.layer(project.settings(plugin));
      plugin.loopback(work).forEach(sites::set);
    }
    settings.forEach(sites::set);
    sites.write(FileTree.directory(work.resolve(DIRECTORY)));
    FileTree.write(FileTree.directory(configuration).resolve("log4j.properties"), LOG4J);
  }

  private static void hdfs(SiteSettings sites) {
    sites.set(Site.HDFS, "dfs.permissions.enabled", "true");
    sites.set(Site.HDFS, "dfs.block.access.token.enable", "true");
  }

  private void yarn(SiteSettings sites) {
    Site site = Site.YARN;
    sites.set(
        site,
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler");
    sites.set(
        site,
        "yarn.application.classpath",
        configuration + "," + String.join(",", hadoop.classPath()));
    sites.set(
        site,
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage",
        "99");
  }

  private void mapred(SiteSettings sites, Path work) {
    Site site = Site.MAPRED;
    sites.set(site, "yarn.app.mapreduce.am.staging-dir", "/staging");
    sites.set(
        site,
        "mapreduce.application.classpath",
        hadoop.root() + "/share/hadoop/mapreduce/*," + work.resolve(JARS) + "/*");
    sites.set(site, "yarn.app.mapreduce.am.command-opts", String.join(" ", Jvm.options(300)));
    sites.set(site, "mapred.child.java.opts", String.join(" ", Jvm.options(180)));
    sites.set(site, "mapreduce.task.io.sort.mb", "40");
  }
}
