package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.operator.OperatorException;
import io.orchestra.hadoop.operator.install.HadoopHome;
import io.orchestra.hadoop.operator.install.Installation;
import io.orchestra.hadoop.operator.install.Role;
import io.orchestra.hadoop.operator.install.Site;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.datanode.DaemonService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** All that the doctor looks at, in order. */
public final class Examination {
  private static final int LEAST_JAVA = 17;

  private final HadoopHome home;
  private final Path configuration;
  private final Optional<Path> framework;
  private final Findings findings;

  /**
   * @param framework where the archive is unpacked that tasks take Hadoop from
   * @param findings gets all that is found
   */
  Examination(HadoopHome home, Path configuration, Optional<Path> framework, Findings findings) {
    this.home = home;
    this.configuration = configuration;
    this.framework = framework;
    this.findings = findings;
  }

  /**
   * The home, the configuration, roles with commas between them or nothing, whether to ask daemons,
   * and perhaps where the framework's archive is unpacked.
   */
  public static void main(String[] words) throws InterruptedException {
    Findings findings = found(words);
    findings.all().forEach(finding -> System.out.println(finding.render()));
    System.exit(findings.exitStatus());
  }

  /** All that is found until something cannot be looked at. */
  static Findings found(String[] words) throws InterruptedException {
    Findings findings = new Findings();
    try {
      Set<Role> roles = EnumSet.noneOf(Role.class);
      for (String name : words[2].split(",")) {
        if (!name.isEmpty()) {
          roles.add(Role.named(name));
        }
      }
      Findings unused =
          new Examination(
                  HadoopHome.open(Path.of(words[0])),
                  Path.of(words[1]),
                  Arrays.stream(words).skip(4).map(Path::of).findFirst(),
                  findings)
              .run(roles, Boolean.parseBoolean(words[3]));
    } catch (OperatorException e) {
      String[] lines = e.getMessage().split("\n *remedy: ", 2);
      findings.unknown(lines[0], lines.length > 1 ? lines[1] : "");
    } catch (IOException | RuntimeException e) {
      findings.unknown(
          "the rest was not looked at: " + e.toString().lines().findFirst().orElseThrow(),
          "check that what it names can be read");
    }
    return findings;
  }

  /**
   * @param named roles to look at; those installed if empty
   * @param live whether to ask daemons
   */
  Findings run(Set<Role> named, boolean live) throws IOException, InterruptedException {
    hadoop();
    Set<Role> installed = installation();
    Optional<ProgramConfigurations> read = configurations();
    if (read.isPresent()) {
      look(read.get(), installed, programs(roles(named, installed, read.get())), live);
    }
    return findings;
  }

  private Set<Role> roles(Set<Role> named, Set<Role> installed, ProgramConfigurations read) {
    if (!named.isEmpty()) {
      return named;
    }
    return installed.isEmpty() ? EnumSet.allOf(Role.class) : withRunning(installed, read);
  }

  /**
   * With those that are not installed though one of their daemons runs and its configuration names
   * classes of ours; of those that do not run this is only noted.
   */
  private Set<Role> withRunning(Set<Role> installed, ProgramConfigurations read) {
    Set<Role> roles = EnumSet.copyOf(installed);
    RunningDaemons running = new RunningDaemons(home.root());
    for (Role role : EnumSet.complementOf(EnumSet.copyOf(installed))) {
      if (programs(Set.of(role)).stream().noneMatch(program -> needsClasses(program, read))) {
        continue;
      }
      if (running.haveRole(role)) {
        roles.add(role);
      } else {
        findings.note(
            "%s: not installed and not looked at; the configuration names classes of ours without which no %s starts"
                .formatted(role.roleName(), role.title()),
            "only if it is to run on this host: bin/orchestra install --hadoop-home %s --role %s"
                .formatted(home.root(), role.roleName()));
      }
    }
    return roles;
  }

  private static boolean needsClasses(Program program, ProgramConfigurations read) {
    return Arrays.stream(ClassKey.values())
        .filter(key -> key.fatal() && key.programs().contains(program))
        .anyMatch(key -> !key.named(read.of(program)).isEmpty());
  }

  private void look(
      ProgramConfigurations read, Set<Role> installed, Set<Program> programs, boolean live)
      throws IOException, InterruptedException {
    ProgramConfigurations configurations =
        programs.contains(Program.NODEMANAGER) ? withServices(read) : read;
    classPaths(configurations, installed, programs);
    new SettingsCheck(configurations, findings).run(Plugins.SETTINGS);
    List<Plugin> on = new ArrayList<>();
    for (Plugin plugin : Plugins.ALL) {
      boolean here = new PluginCheck(configurations, findings).isOn(plugin, programs);
      if (here || (live && isOnAnywhere(configurations, plugin))) {
        on.add(plugin);
      }
    }
    if (programs.contains(Program.DATANODE) && on.stream().anyMatch(Plugin::usesBlockCache)) {
      new BlockCacheCheck(configurations.of(Program.DATANODE), findings).run();
    }
    if (programs.contains(Program.DATANODE) && on.contains(Plugins.PREFETCH)) {
      knowsCoordinators(configurations);
    }
    new KerberosCheck(configurations, findings).run(on, programs);
    if (live) {
      ask(configurations.ofClients(), on);
    }
  }

  /** Whether a prefetch daemon of this host will know where to ask. */
  private void knowsCoordinators(ProgramConfigurations configurations) {
    try {
      List<InetSocketAddress> unused =
          DaemonService.addresses(
              configurations.withDefaults(List.of(Site.CORE, Site.HDFS, Site.YARN)),
              PrefetchConfig.from(configurations.of(Program.DATANODE)).daemon());
    } catch (IOException | RuntimeException e) {
      // Hadoop's too, of an address that is none.
      findings.problem(
          "prefetch-scheduler: the daemon of this host's DataNode is off: " + e.getMessage(),
          "set it in hdfs-site.xml, or have the cluster's yarn-site.xml on this host too");
    } catch (InvalidConfigurationException e) {
      // Told with the other settings.
    }
  }

  private ProgramConfigurations withServices(ProgramConfigurations read) {
    return read.with(
        Program.NODEMANAGER,
        new AuxServiceManifest(read.of(Program.NODEMANAGER), findings).applied());
  }

  /** Whatever this host is for, it can ask the daemons of all others. */
  private static boolean isOnAnywhere(ProgramConfigurations configurations, Plugin plugin) {
    return new PluginCheck(configurations, new Findings())
        .isOn(plugin, EnumSet.allOf(Program.class));
  }

  private void hadoop() {
    if (home.tested()) {
      findings.ok("Hadoop %s in %s".formatted(home.version(), home.root()));
    } else {
      findings.note(
          "Hadoop %s in %s is not among the tested versions".formatted(home.version(), home.root()),
          "try it on a test cluster first; the tested versions are "
              + String.join(", ", HadoopHome.TESTED));
    }
  }

  /** The roles that are installed. */
  private Set<Role> installation() throws IOException {
    Installation installation = new Installation(home);
    Set<Role> installed = installation.roles();
    if (installed.isEmpty()) {
      findings.note("Orchestra is not installed in " + home.root(), "bin/orchestra install --help");
      return installed;
    }
    List<String> damaged = installation.damaged();
    if (damaged.isEmpty()) {
      findings.ok(
          "Orchestra %s is installed for %s"
              .formatted(
                  installation.version().orElse("?"),
                  String.join(", ", installed.stream().map(Role::roleName).toList())));
    } else {
      findings.problem(
          "of the installation in %s these files are missing or changed: %s"
              .formatted(installation.current(), String.join(", ", damaged)),
          "unpack orchestra-hadoop-<version>.tar.gz and run its bin/orchestra install");
    }
    return installed;
  }

  /** Empty if Hadoop cannot read it. */
  private Optional<ProgramConfigurations> configurations() {
    ProgramConfigurations read;
    try {
      read = ProgramConfigurations.read(configuration);
    } catch (RuntimeException e) {
      findings.problem(
          "Hadoop cannot read the configuration in %s: %s".formatted(configuration, e.getMessage()),
          "correct the file");
      return Optional.empty();
    }
    Optional<String> nothing = Site.nothingIn(configuration);
    if (nothing.isPresent()) {
      findings.unknown(nothing.get(), "name the directory that has them, with --conf");
    } else {
      findings.ok("the configuration is " + configuration);
    }
    return Optional.of(read);
  }

  private static Set<Program> programs(Set<Role> roles) {
    Set<Program> programs = EnumSet.noneOf(Program.class);
    for (Program program : Program.values()) {
      if (roles.contains(program.role())) {
        programs.add(program);
      }
    }
    return programs;
  }

  private void classPaths(
      ProgramConfigurations configurations, Set<Role> installed, Set<Program> programs)
      throws InterruptedException {
    if (framework.isPresent() && !programs.contains(Program.TASK)) {
      findings.note(
          "--framework is not looked into: tasks are not looked at",
          "add %s to --role".formatted(Role.CLIENT.roleName()));
    }
    Set<ProgramEnvironment.Java> javas = new LinkedHashSet<>();
    for (Program program : programs) {
      Configuration conf = configurations.of(program);
      ClassCheck check = new ClassCheck(home, conf, findings);
      try {
        if (program == Program.TASK) {
          tasks(conf, check);
          continue;
        }
        ProgramEnvironment environment = ProgramEnvironment.of(program, home, configuration);
        javas.add(environment.java());
        configuredBy(program, environment.configuration());
        check.run(program, environment.classPath(), installed.contains(program.role()));
      } catch (IOException e) {
        findings.unknown(
            "%s: its class path cannot be found out: %s"
                .formatted(
                    program.programName(),
                    e instanceof FileSystemException ? e.toString() : e.getMessage()),
            program
                .script()
                .map(script -> "check that %s/bin/%s starts it".formatted(home.root(), script))
                .orElse(
                    "check that what %s names can be read".formatted(TaskClassPath.APPLICATION)));
      }
    }
    javas.forEach(this::java);
  }

  /** Whether that is what this looks at: what scripts read may name another directory. */
  private void configuredBy(Program program, Path directory) {
    if (!TaskClassPath.isSame(directory, configuration)) {
      findings.problem(
          "%s: Hadoop's scripts start it with the configuration in %s, and this looks at %s"
              .formatted(program.programName(), directory, configuration),
          "run this with --conf %s --role %s, or have hadoop-env.sh and yarn-env.sh set no other HADOOP_CONF_DIR and YARN_CONF_DIR"
              .formatted(directory, program.role().roleName()));
    }
  }

  private void java(ProgramEnvironment.Java java) {
    int version = java.version();
    if (version >= LEAST_JAVA && java.isOfShell()) {
      findings.note(
          "Java %d is what JAVA_HOME of this shell says; hadoop-env.sh sets none, so daemons start with that of whatever starts them"
              .formatted(version),
          "set JAVA_HOME in %s/hadoop-env.sh to Java %d or newer, or check that it is so where daemons are started"
              .formatted(configuration, LEAST_JAVA));
    } else if (version >= LEAST_JAVA) {
      findings.ok("Java %d, as Hadoop's scripts find it".formatted(version));
    } else if (version == 0) {
      findings.unknown(
          "Hadoop's scripts find no Java that tells its version",
          "set JAVA_HOME in %s/hadoop-env.sh".formatted(configuration));
    } else {
      findings.problem(
          "Java %d, as Hadoop's scripts find it, cannot load classes of ours".formatted(version),
          "set JAVA_HOME in %s/hadoop-env.sh to Java %d or newer"
              .formatted(configuration, LEAST_JAVA));
    }
  }

  private void tasks(Configuration conf, ClassCheck check) throws IOException {
    TaskClassPath tasks = new TaskClassPath(conf);
    tasks
        .javaHomes()
        .forEach(
            (key, java) -> {
              if (containersNeedOurs(key, conf)) {
                containersJava(key, java);
              }
            });
    if (tasks.useHome()) {
      homes(conf, tasks);
    }
    if (tasks.archive().isPresent()) {
      new FrameworkCheck(home, configuration, findings).run(conf, framework, check);
      return;
    }
    framework.ifPresent(
        directory ->
            findings.problem(
                "--framework is %s, but %s is not set: tasks take Hadoop from its home"
                    .formatted(directory, TaskClassPath.FRAMEWORK),
                "set it, or omit --framework"));
    check.run(Program.TASK, tasks.on(home, configuration), false);
  }

  /** Whether containers that a list of variables is for end if they cannot load ours. */
  private static boolean containersNeedOurs(String variables, Configuration conf) {
    Stream<ClassKey> keys =
        TaskClassPath.areOfMasters(variables)
            ? Stream.of(ClassKey.PREEMPTION_POLICY, ClassKey.PREEMPTION_DELEGATE)
            : Stream.of(ClassKey.SHUFFLE_CONSUMER);
    return keys.anyMatch(key -> !key.named(conf).isEmpty());
  }

  private void containersJava(String key, String home) {
    int version = JavaRelease.version(Path.of(home));
    if (version == 0) {
      findings.note(
          "task: %s sets JAVA_HOME to %s, of which this host does not tell the version"
              .formatted(key, home),
          "check that it is Java %d or newer on the hosts of NodeManagers".formatted(LEAST_JAVA));
    } else if (version < LEAST_JAVA) {
      findings.problem(
          "task: %s sets JAVA_HOME to %s, a Java %d, which cannot load classes of ours"
              .formatted(key, home, version),
          "set it to Java %d or newer".formatted(LEAST_JAVA));
    }
  }

  /** Whether containers look for the home where this does. */
  private void homes(Configuration conf, TaskClassPath tasks) {
    tasks
        .otherHomes(home)
        .forEach(
            (key, other) ->
                findings.note(
                    "task: %s sets HADOOP_MAPRED_HOME to %s, where this does not look"
                        .formatted(key, other),
                    "check that %s has orchestra/current/%s on the hosts of NodeManagers"
                        .formatted(other, Role.CLIENT.stableJarName())));
    if (tasks.lacksHome()) {
      homeIsMissing(ClassKey.jobsNeedOurs(conf));
    }
  }

  private void homeIsMissing(boolean fatal) {
    String text =
        "task: %s is told by $HADOOP_MAPRED_HOME, which the configuration here gives to no container, or not to all"
            .formatted(TaskClassPath.APPLICATION);
    String remedy =
        "add HADOOP_MAPRED_HOME to yarn.nodemanager.env-whitelist of NodeManagers;"
            + " docs/troubleshooting.md says what else helps";
    if (fatal) {
      findings.problem(text, remedy);
    } else {
      findings.note(text, remedy);
    }
  }

  private void ask(Configuration conf, List<Plugin> on) {
    LiveCluster cluster;
    try {
      cluster = new LiveCluster(conf);
    } catch (IllegalArgumentException e) {
      findings.problem(
          "Hadoop cannot use what the configuration says of security: " + e.getMessage(),
          "correct hadoop.security.authentication and the settings that go with it; no daemon was asked");
      return;
    }
    for (Plugin plugin : on) {
      try {
        plugin.probe().ask(cluster, findings);
      } catch (IOException e) {
        findings.unanswered(plugin.name(), e);
      }
    }
  }
}
