package io.orchestra.hadoop.testbed.hadoop;

import io.orchestra.hadoop.testbed.TestbedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The project's own files: built jars and the XML that turns plugins on.
 *
 * @param root the directory of the root pom
 * @param jars the directory that holds the jars of all modules; where Maven leaves each if empty
 * @param version the version in the names of our jars
 */
public record Project(Path root, Optional<Path> jars, String version) {
  private static final String ROOT = "orchestra.project.root";
  private static final String JARS = "orchestra.project.jars";

  /** With the jars where Maven leaves them. */
  public Project(Path root, String version) {
    this(root, Optional.empty(), version);
  }

  /** The project that the start script belongs to. */
  public static Project ofThisCommand() {
    String root = System.getProperty(ROOT);
    if (root == null) {
      throw new TestbedException("start this with bin/orchestra, which sets -D" + ROOT);
    }
    Optional<Path> jars = Optional.ofNullable(System.getProperty(JARS)).map(Path::of);
    return new Project(Path.of(root), jars, Versions.ofThisBuild().orchestra());
  }

  /** The jars of a plugin; fails if one is not built. */
  public List<Path> jars(Plugin plugin) {
    return plugin.modules().stream().map(this::jar).toList();
  }

  /** The jar with what stands in for native code; fails if it is not built. */
  public Path secureIo() {
    return jar("testbed/secure-io");
  }

  /** The jar with the program that measures predictions; fails if it is not built. */
  public Path prediction() {
    return jar("testbed/prediction");
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

  /** Whether a plugin can be switched on. */
  public boolean has(Plugin plugin) {
    return Files.isDirectory(root.resolve("conf").resolve(plugin.settingsDirectory()));
  }

  private Path jar(String module) {
    Path jar =
        jars.orElseGet(() -> root.resolve(module).resolve("target"))
            .resolve("orchestra-" + module.replace('/', '-') + "-" + version + ".jar");
    if (!Files.exists(jar)) {
      throw new TestbedException(jar + " is not built: run mvn -DskipTests package");
    }
    return jar;
  }
}
