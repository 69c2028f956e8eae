package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is inside the jars that operators install. */
final class ShippedJarIT {
  private static final List<String> ALLOWED =
      List.of(
          "META-INF/MANIFEST\\.MF",
          "META-INF/maven/io\\.orchestra\\.hadoop/.*",
          "io/orchestra/hadoop/.*\\.class",
          "org/apache/hadoop/hdfs/server/blockmanagement/(PlacementSteps|package-info)\\.class",
          "org/apache/hadoop/hdfs/server/namenode/(SuperuserCheck|package-info)\\.class",
          "org/apache/hadoop/hdfs/server/datanode/(DataXceivers|BlockReadAccess|package-info)\\.class",
          "(link_report|block_cache|peer|swarm_tracker)\\.proto");

  @ParameterizedTest
  @ValueSource(strings = {"core", "hdfs-placement", "broadcast-cache"})
  void onlyOurOwnAndRelocatedEntriesAreInside(String module) throws IOException {
    try (JarFile jar = new JarFile(jar(module).toFile())) {
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName))
          .isNotEmpty()
          .allMatch(name -> ALLOWED.stream().anyMatch(name::matches));
    }
  }

  @Test
  void everyClassLoadsOnTheClassPathOfStockHadoop() throws Exception {
    List<Path> jars = List.of(jar("core"), jar("hdfs-placement"), jar("broadcast-cache"));
    List<URL> path = new ArrayList<>();
    for (Path jar : jars) {
      path.add(jar.toUri().toURL());
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      // Neither our modules nor an unrelocated Guava: what we need of it must be in our jars.
      if (!entry.contains("orchestra-") && !entry.matches(".*/(guava|failureaccess)-[^/]*\\.jar")) {
        path.add(Path.of(entry).toUri().toURL());
      }
    }
    int loaded = 0;
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      for (Path file : jars) {
        try (JarFile jar = new JarFile(file.toFile())) {
          for (JarEntry entry : jar.stream().toList()) {
            String name = entry.getName();
            if (name.endsWith(".class") && !name.contains("-info") && !name.contains("/shaded/")) {
              Class<?> type =
                  Class.forName(
                      name.substring(0, name.length() - 6).replace('/', '.'), false, loader);
              // Resolves every type that the members name.
              assertThat(type.getDeclaredMethods()).isNotNull();
              assertThat(type.getDeclaredFields()).isNotNull();
              loaded++;
            }
          }
        }
      }
    }
    assertThat(loaded).isGreaterThan(30);
  }

  private static Path jar(String module) throws IOException {
    Path target = SourceTree.root().resolve(module).resolve("target");
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches("orchestra-" + module + "-[0-9].*(?<!-sources|-tests)\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IOException("no jar of " + module + " in " + target));
    }
  }
}
