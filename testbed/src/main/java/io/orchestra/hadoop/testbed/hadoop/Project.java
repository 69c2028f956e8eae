package io.orchestra.hadoop.testbed.hadoop;

import io.orchestra.hadoop.testbed.TestbedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The project's own files: built jars and the XML that turns plugins on.
 *
 * @param root the directory of the root pom
 * @param jars the directory that holds the jars of all modules; where Maven leaves each if empty
 * @param version the version in the names of our jars
 * @param asInstalled whether clusters get the jars that operators install, one for each role with
 *     all plugins, and not those of the modules that their plugins need
 */
public record Project(Path root, Optional<Path> jars, String version, boolean asInstalled) {
  private static final String ROOT = "orchestra.project.root";
  private static final String JARS = "orchestra.project.jars";

  /** With the jars where Maven leaves them. */
  public Project(Path root, String version) {
    this(root, Optional.empty(), version, false);
  }

  /** The same, for clusters that have what operators install. */
  public Project withJarsOfRoles() {
    return new Project(root, jars, version, true);
  }

  /** The project that the start script belongs to. */
  public static Project ofThisCommand() {
    String root = System.getProperty(ROOT);
    if (root == null) {
      throw new TestbedException("start this with bin/orchestra, which sets -D" + ROOT);
    }
    Optional<Path> jars = Optional.ofNullable(System.getProperty(JARS)).map(Path::of);
    return new Project(Path.of(root), jars, Versions.ofThisBuild().orchestra(), false);
  }

  /** The jars of a plugin; fails if one is not built. */
  public List<Path> jars(Plugin plugin) {
    return plugin.modules().stream().map(this::jar).toList();
  }

  /** What processes of a role load on a cluster with some plugins; fails if it is not built. */
  public List<Path> jars(Role role, Collection<Plugin> plugins) {
    return asInstalled
        ? List.of(jarOf(role))
        : plugins.stream()
            .filter(plugin -> plugin.roles().contains(role))
            .flatMap(plugin -> jars(plugin).stream())
            .distinct()
            .toList();
  }

  /** The jar with what stands in for native code; fails if it is not built. */
  public Path secureIo() {
    return jar("testbed/secure-io");
  }

  /**
   * The jar with the programs that measure schedulers, and with one that foretells wrongly; fails
   * if it is not built.
   */
  public Path schedulerPrograms() {
    return jar("testbed/scheduler");
  }

  /** The directory of a plugin's site files; fails if there is none. */
  public Path settings(Plugin plugin) {
    Path directory = root.resolve("conf").resolve(plugin.settingsDirectory());
    if (!Files.isDirectory(directory)) {
      throw new TestbedException(
          "the plugin " + plugin.pluginName() + " has no settings: " + directory + " is missing");
    }
    return directory;
  }

  private Path jarOf(Role role) {
    return built(
        root.resolve("dist/target/jars")
            .resolve("orchestra-" + role.jarName() + "-" + version + ".jar"));
  }

  private Path jar(String module) {
    return built(
        jars.orElseGet(() -> root.resolve(module).resolve("target"))
            .resolve("orchestra-" + module.replace('/', '-') + "-" + version + ".jar"));
  }

  private static Path built(Path jar) {
    if (!Files.exists(jar)) {
      throw new TestbedException(jar + " is not built: run mvn -DskipTests package");
    }
    return jar;
  }
}
