package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.operator.install.Role;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.cluster.HadoopHomes;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is inside the archive that operators unpack, and inside its jars. */
final class ShippedJarIT {
  /** What each module may put into a role's jar. */
  private static final Map<String, List<String>> MODULES =
      Map.of(
          "core",
          List.of(
              "io/orchestra/hadoop/(core|shaded)/.*\\.class",
              "org/apache/hadoop/hdfs/server/namenode/SuperuserCheck\\.class",
              "org/apache/hadoop/hdfs/server/datanode/BlockReadAccess\\.class"),
          "hdfs-placement",
          List.of(
              "io/orchestra/hadoop/placement/.*\\.class",
              "org/apache/hadoop/hdfs/server/blockmanagement/PlacementSteps\\.class",
              "org/apache/hadoop/hdfs/server/datanode/DataXceivers\\.class"),
          "mapreduce-shuffle",
          List.of(
              "io/orchestra/hadoop/shuffle/.*\\.class",
              "org/apache/hadoop/mapred/ShuffleInternals\\.class",
              "org/apache/hadoop/mapreduce/task/reduce/(LaneScheduler|ShuffleParts)\\.class"),
          "broadcast-cache",
          List.of("io/orchestra/hadoop/broadcast/.*\\.class"),
          "prefetch-scheduler",
          List.of(
              "io/orchestra/hadoop/prefetch/.*\\.class",
              "org/apache/hadoop/mapreduce/v2/app/job/impl/MapAttempts\\.class",
              "org/apache/hadoop/yarn/server/resourcemanager/ResourceManagerWeb\\.class",
              "org/apache/hadoop/yarn/server/resourcemanager/scheduler/fair/FairSchedulerState\\.class"));

  private static final Map<Role, List<String>> ROLES =
      Map.of(
          Role.NAMENODE, List.of("core", "hdfs-placement", "broadcast-cache"),
          Role.DATANODE, List.of("core", "hdfs-placement", "broadcast-cache", "prefetch-scheduler"),
          Role.RESOURCEMANAGER, List.of("core", "prefetch-scheduler"),
          Role.NODEMANAGER, List.of("core", "mapreduce-shuffle"),
          Role.CLIENT, List.of("core", "mapreduce-shuffle", "prefetch-scheduler"));

  private static final List<String> IN_THE_ARCHIVE =
      List.of(
          "(README|CONTRIBUTING)\\.md",
          "LICENSE",
          "bin/orchestra",
          "conf/[a-z-]+/(hdfs|yarn|mapred)-site\\.xml",
          "conf/prefetch-scheduler/orchestra-traffic\\.service",
          "docs/.*\\.md",
          "docs/results/[a-z0-9-]+/(result\\.json|plots/[^/]+\\.svg)",
          "jars/orchestra-(namenode|datanode|resourcemanager|nodemanager|client)-[^/]*\\.jar",
          "lib/orchestra-(dist|core|hdfs-placement|mapreduce-shuffle|broadcast-cache|prefetch-scheduler)-[^/]*\\.jar",
          "lib/picocli-[^/]*\\.jar");

  /** With it a benchmark is gone on with. */
  private static final String ONLY_IN_THE_SOURCE_TREE = "results/[^/]+/repetitions\\.jsonl";

  private static final String OF_GUAVA = "io/orchestra/hadoop/shaded/";

  /** Those of our bridges say nothing about Hadoop's packages. */
  private static final String NOT_IN_JARS = "org/apache/hadoop/.*/package-info\\.class";

  private static final List<String> HADOOPS = List.of("3.5.0", "3.4.2");

  @TempDir private static Path directory;

  private static Release release;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    Path target = SourceTree.root().resolve("dist/target");
    Process tar =
        new ProcessBuilder(
                "tar",
                "-xzf",
                only(target, "orchestra-hadoop-*.tar.gz").toString(),
                "-C",
                directory.toString(),
                "--strip-components",
                "1")
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    release = new Release(directory);
  }

  @Test
  void theArchiveHasNothingElse() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(
              files.filter(Files::isRegularFile).map(file -> directory.relativize(file).toString()))
          .hasSizeGreaterThan(15)
          .allMatch(name -> IN_THE_ARCHIVE.stream().anyMatch(name::matches));
    }
    assertThat(directory.resolve("bin/orchestra")).isExecutable();
  }

  @Test
  void theArchiveHasAllSiteFilesAndPagesOfTheSourceTree() throws IOException {
    for (String folder : List.of("conf", "docs")) {
      assertThat(names(directory.resolve(folder)))
          .as(folder)
          .isNotEmpty()
          .containsExactlyInAnyOrderElementsOf(
              names(SourceTree.root().resolve(folder)).stream()
                  .filter(name -> !name.matches(ONLY_IN_THE_SOURCE_TREE))
                  .toList());
    }
  }

  @Test
  void theArchiveHasAJarForEachRoleAndThoseThatCommandsRunOn() throws IOException {
    assertThat(jars("jars"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Role.values()).map(role -> "orchestra-" + role.roleName()).toList());
    assertThat(jars("lib"))
        .containsExactlyInAnyOrder(
            "orchestra-dist",
            "orchestra-core",
            "orchestra-hdfs-placement",
            "orchestra-broadcast-cache",
            "orchestra-mapreduce-shuffle",
            "orchestra-prefetch-scheduler",
            "picocli");
  }

  /** Without versions. */
  private static List<String> jars(String folder) throws IOException {
    return names(directory.resolve(folder)).stream()
        .map(name -> name.replaceFirst("-\\d.*\\.jar$", ""))
        .toList();
  }

  /** Of all files in a directory, relative to it. */
  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .toList();
    }
  }

  /** So none of tests, which may be in the same packages. */
  @ParameterizedTest
  @EnumSource
  void aJarHasTheClassesOfItsModulesAndOfGuavaAlone(Role role) throws IOException {
    Set<String> compiled = new TreeSet<>();
    for (String module : ROLES.get(role)) {
      names(SourceTree.root().resolve(module).resolve("target/classes")).stream()
          .filter(name -> name.endsWith(".class") && !name.matches(NOT_IN_JARS))
          .forEach(compiled::add);
    }
    try (JarFile jar = new JarFile(release.jar(role).toFile())) {
      assertThat(
              jar.stream()
                  .map(JarEntry::getName)
                  .filter(name -> name.endsWith(".class") && !name.startsWith(OF_GUAVA)))
          .containsExactlyInAnyOrderElementsOf(compiled);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aJarHasOnlyClassesOfOursAndEachOnce(Role role) throws IOException {
    List<String> allowed = new ArrayList<>(List.of("META-INF/MANIFEST\\.MF"));
    ROLES.get(role).forEach(module -> allowed.addAll(MODULES.get(module)));
    try (JarFile jar = new JarFile(release.jar(role).toFile())) {
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName))
          .isNotEmpty()
          .doesNotHaveDuplicates()
          .allMatch(name -> allowed.stream().anyMatch(name::matches));
      for (String module : ROLES.get(role)) {
        assertThat(jar.stream().map(JarEntry::getName))
            .as("classes of %s", module)
            .anyMatch(name -> name.matches(MODULES.get(module).get(0)));
      }
    }
  }

  /**
   * Hadoop's scripts, and its defaults for containers, give all processes the same jars: those of
   * common, HDFS, YARN and MapReduce.
   */
  @ParameterizedTest
  @MethodSource("rolesOnHadoops")
  void everyClassOfARoleLoadsOnItsStockClassPathAndIsNotThereAlready(String hadoop, Role role)
      throws Exception {
    List<Path> stock = stockClassPath(hadoop);
    List<URL> path = new ArrayList<>(List.of(release.jar(role).toUri().toURL()));
    Set<String> theirs = new HashSet<>();
    for (Path jar : stock) {
      // What we need of Guava must be in our jars.
      if (!jar.getFileName().toString().matches("(guava|failureaccess)-.*")) {
        path.add(jar.toUri().toURL());
      }
      theirs.addAll(classes(jar));
    }
    int loaded = 0;
    Map<String, Set<String>> missing = new TreeMap<>();
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Linkage linkage = new Linkage(loader);
      for (String file : classes(release.jar(role))) {
        assertThat(theirs.contains(file)).as("%s is in stock Hadoop", file).isFalse();
        String name = file.substring(0, file.length() - ".class".length());
        Class<?> type = Class.forName(name.replace('/', '.'), false, loader);
        // Resolves every type that the members name.
        assertThat(type.getDeclaredMethods()).isNotNull();
        assertThat(type.getDeclaredFields()).isNotNull();
        // And what their bodies name.
        missing.put(name, linkage.missing(name));
        loaded++;
      }
    }
    missing.values().removeIf(Set::isEmpty);
    assertThat(missing).as("not there in Hadoop " + hadoop).isEmpty();
    assertThat(loaded).isGreaterThan(30);
  }

  static Stream<Arguments> rolesOnHadoops() {
    return HADOOPS.stream()
        .flatMap(hadoop -> Stream.of(Role.values()).map(role -> Arguments.of(hadoop, role)));
  }

  private static List<Path> stockClassPath(String hadoop) throws IOException {
    HadoopHomes homes =
        new HadoopHomes(TestbedHome.fromEnvironmentOrOwn(), Progress.onStandardError());
    List<Path> jars = new ArrayList<>();
    for (String entry : homes.ofVersion(hadoop).classPath()) {
      if (entry.endsWith("/*")) {
        Path lib = Path.of(entry.substring(0, entry.length() - 2));
        if (Files.isDirectory(lib)) {
          try (DirectoryStream<Path> files = Files.newDirectoryStream(lib, "*.jar")) {
            files.forEach(jars::add);
          }
        }
      }
    }
    assertThat(jars).hasSizeGreaterThan(50);
    return jars;
  }

  /** But descriptions of packages and modules. */
  private static List<String> classes(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream()
          .map(JarEntry::getName)
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .toList();
    }
  }

  private static Path only(Path target, String glob) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(target, glob)) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      assertThat(found).as("%s in %s", glob, target).hasSize(1);
      return found.get(0);
    }
  }
}
