package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.SiteSettings;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.AccountFiles;
import io.orchestra.hadoop.testbed.host.HostProcesses;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lays out the directory of a new cluster: hosts' files, Hadoop's configuration, and our jars. */
final class ClusterFiles {
  /** Those of the virtual machines in containers. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "yarn.app.mapreduce.am.command-opts",
          "mapred.child.java.opts",
          "mapreduce.map.java.opts",
          "mapreduce.reduce.java.opts");

  private final ClusterSpec spec;
  private final ClusterDirectory directory;
  private final TestbedHome home;
  private final NetworkPlan plan;

  ClusterFiles(ClusterSpec spec, ClusterDirectory directory, TestbedHome home) {
    this.spec = spec;
    this.directory = directory;
    this.home = home;
    this.plan = spec.network();
  }

  void layOut(HadoopHome hadoop, ProgramClasses.Source classes, Project project) {
    FileTree.directory(directory.root());
    directory.programClasses(hadoop).from(classes);
    etc();
    plan.hosts().forEach(this::host);
    FileTree.directory(directory.logs(NetworkPlan.FABRIC));
    FileTree.directory(directory.host(NetworkPlan.FABRIC).resolve("tmp"));
    FileTree.directory(directory.host(NetworkPlan.FABRIC).resolve("var-tmp"));
    shared();
    CommandJars.copy(FileTree.directory(directory.commandJars()));
    configure(hadoop, project);
    kerberos()
        .ifPresent(
            kerberos -> {
              FileTree.directory(directory.secureIo());
              Path jar = project.secureIo();
              FileTree.copy(jar, directory.secureIo().resolve(jar.getFileName()));
              new SecurityFiles(kerberos, plan).write();
            });
  }

  private Optional<Kerberos> kerberos() {
    return Kerberos.of(spec, directory, home.mountPoint());
  }

  /** Writes the configuration, and the jars that are needed and not there yet; other jars stay. */
  void configure(HadoopHome hadoop, Project project) {
    jars(project);
    configuration(hadoop, project);
  }

  /** Daemons of this kind have what is configured now, whatever is configured for others later. */
  void keep(Daemon daemon) {
    Path kept = FileTree.directory(directory.configuration(daemon));
    for (Site site : Site.values()) {
      FileTree.copy(
          directory.configuration().resolve(site.fileName()), kept.resolve(site.fileName()));
    }
  }

  private void etc() {
    Path etc = FileTree.directory(directory.etc());
    Command.of("cp", "--archive", "/etc/.", etc.toString()).output();
    // Keys and passwords of the machine are of no use there, and the copy outlives the cluster.
    Command.of("find", etc.toString(), "-type", "f", "!", "-perm", "-o=r", "-delete").output();
    FileTree.write(etc.resolve("hosts"), plan.hostsFile());
    String homes = home.mountPoint().resolve("home").toString();
    FileTree.write(
        etc.resolve("passwd"), AccountFiles.passwd(FileTree.read(Path.of("/etc/passwd")), homes));
    FileTree.write(etc.resolve("group"), AccountFiles.group(FileTree.read(Path.of("/etc/group"))));
    FileTree.write(initScript(), resource(HostProcesses.class, "init.sh"));
  }

  /** The script of hosts' first processes. */
  Path initScript() {
    return directory.root().resolve("init.sh");
  }

  private void host(Host host) {
    Path root = FileTree.directory(directory.host(host.name()));
    for (String temporary : List.of("tmp", "var-tmp")) {
      FileTree.directory(root.resolve(temporary), "rwxrwxrwx");
      sticky(root.resolve(temporary));
    }
    FileTree.directory(root.resolve("logs"));
    owned(root.resolve("logs/containers"), Account.YARN, "rwxr-xr-x");
    owned(root.resolve("name"), Account.HDFS, "rwx------");
    owned(root.resolve("data"), Account.HDFS, "rwx------");
    // Plugins in clients trust a socket only where nobody but the daemon can put one.
    owned(directory.sockets(host.name()), Account.HDFS, "rwxr-xr-x");
    owned(root.resolve("nm-local"), Account.YARN, "rwxr-xr-x");
    for (Account account : Account.values()) {
      owned(root.resolve("home").resolve(account.userName()), account, "rwxr-xr-x");
    }
  }

  private void shared() {
    FileTree.directory(directory.shared());
    owned(directory.shared().resolve("edits"), Account.HDFS, "rwx------");
    owned(directory.shared().resolve("resourcemanager"), Account.YARN, "rwx------");
  }

  private void jars(Project project) {
    for (Role role : Role.values()) {
      Path jars = FileTree.directory(directory.jars(role));
      for (Path jar : project.jars(role, spec.plugins())) {
        Path copy = jars.resolve(jar.getFileName());
        // One that is there may be what a task is just starting with.
        if (!Files.exists(copy)) {
          FileTree.copy(jar, copy);
        }
      }
    }
  }

  private void configuration(HadoopHome hadoop, Project project) {
    SiteSettings settings = new BaseSettings(spec, directory, hadoop, home.mountPoint()).settings();
    kerberos().ifPresent(kerberos -> new KerberosSettings(kerberos).addTo(settings));
    for (Plugin plugin : spec.plugins()) {
      settings.layer(project.settings(plugin));
      plugin
          .emulation(
              home.mountPoint().resolve(ClusterDirectory.SOCKETS),
              spec.hostRate(),
              spec.uplinkRate())
          .forEach(settings::set);
    }
    spec.allSettings().forEach(settings::set);
    for (String options : JVM_OPTIONS) {
      settings
          .value(Site.MAPRED, options)
          .ifPresent(value -> settings.set(Site.MAPRED, options, sharing(hadoop, value)));
    }
    FileTree.directory(directory.configuration());
    settings.write(directory.configuration());
    FileTree.write(directory.configuration().resolve("topology"), plan.topologyTable());
    FileTree.write(
        directory.configuration().resolve("log4j.properties"),
        resource(ClusterFiles.class, "log4j.properties"));
    // Figures of /jmx are as old as this many seconds, by default ten.
    FileTree.write(directory.configuration().resolve("hadoop-metrics2.properties"), "*.period=1\n");
  }

  /** Whoever has set a class path of his own keeps it. */
  private String sharing(HadoopHome hadoop, String options) {
    List<String> words = new ArrayList<>(directory.programClasses(hadoop).containerOptions());
    words.add(options);
    return String.join(" ", words);
  }

  private static void owned(Path path, Account account, String permissions) {
    FileTree.directory(path, permissions);
    FileTree.own(path, account.number(), account.group().number());
  }

  /** As in any /tmp, nobody may delete another's files. */
  private static void sticky(Path path) {
    try {
      Files.setAttribute(path, "unix:mode", 01777);
    } catch (IOException e) {
      throw new TestbedException("cannot set the mode of " + path + ": " + e.getMessage(), e);
    }
  }

  private static String resource(Class<?> neighbour, String name) {
    try (InputStream stream = neighbour.getResourceAsStream(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails early, before anything is started, if something of the project is not built. */
  static void require(ClusterSpec spec, Project project) {
    requirePlugins(spec.plugins(), project);
    if (spec.kerberos()) {
      project.secureIo();
    }
  }

  /** Fails early if a plugin is not complete. */
  static void requirePlugins(List<Plugin> plugins, Project project) {
    for (Role role : Role.values()) {
      project.jars(role, plugins);
    }
    for (Plugin plugin : plugins) {
      project.settings(plugin);
    }
  }
}
