package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.base.Splitter;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Assembles a Hadoop home from the jars on Maven Central, laid out as the release archive is.
 *
 * <p>The home appears in one piece under its final name or not at all. Callers see to it that only
 * one assembly runs at a time.
 */
public final class ReleaseAssembly {
  private static final Duration LONGEST_FETCH = Duration.ofHours(1);

  private final Versions versions;
  private final Progress progress;

  public ReleaseAssembly(Versions versions, Progress progress) {
    this.versions = versions;
    this.progress = progress;
  }

  /** Makes the home of a Hadoop version in a directory that does not exist yet. */
  public void assemble(String hadoopVersion, Path target) {
    Path work = target.resolveSibling(".assembling-" + target.getFileName());
    FileTree.delete(work);
    FileTree.directory(work);
    try {
      progress.say("fetching Hadoop " + hadoopVersion + " through Maven (about 250 MB, only once)");
      collect(hadoopVersion, work);
      progress.say("laying out " + target);
      Path home = FileTree.directory(work.resolve("home"));
      arrange(work.resolve("jars"), home.resolve("share/hadoop"));
      webApplications(home.resolve("share/hadoop/hdfs"), hadoopVersion);
      // The jars of a local repository may be readable by their owner alone.
      Command.of("chmod", "-R", "a+rX", home.toString()).output();
      Files.move(home, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException("cannot assemble " + target + ": " + e.getMessage(), e);
    } finally {
      FileTree.delete(work);
    }
  }

  private void collect(String hadoopVersion, Path work) throws IOException {
    Path poms = work.resolve("poms");
    copyPom("pom.xml", poms);
    for (String folder : ReleaseLayout.FOLDERS) {
      copyPom(folder + "/pom.xml", poms);
    }
    Command.Outcome outcome =
        Command.of(
                "mvn",
                "--batch-mode",
                "--quiet",
                "--file",
                poms.resolve("pom.xml").toString(),
                "-Dhadoop.version=" + hadoopVersion,
                "-Dhadoop.tools.version=" + versions.hadoopTools(),
                "-Djunit4.version=" + versions.junit4(),
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + work.resolve("jars") + "/${project.artifactId}",
                "org.apache.maven.plugins:maven-dependency-plugin:"
                    + versions.dependencyPlugin()
                    + ":copy-dependencies")
            .named("mvn")
            .within(LONGEST_FETCH)
            .run();
    if (!outcome.succeeded()) {
      throw new TestbedException(
          "Maven could not fetch Hadoop " + hadoopVersion + ":\n" + firstErrors(outcome.output()));
    }
  }

  /**
   * A short name for the way in which this build assembles releases; another way has another name,
   * so that a home is never taken for one that it is not.
   */
  public static String fingerprint() {
    Hasher hasher = Hashing.sha256().newHasher();
    hasher.putString(String.join(",", ReleaseLayout.FOLDERS), StandardCharsets.UTF_8);
    hasher.putBytes(pom("pom.xml"));
    ReleaseLayout.FOLDERS.forEach(folder -> hasher.putBytes(pom(folder + "/pom.xml")));
    return hasher.hash().toString().substring(0, 8);
  }

  private static byte[] pom(String name) {
    try (InputStream stream = ReleaseAssembly.class.getResourceAsStream("release/" + name)) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copyPom(String name, Path poms) throws IOException {
    Path target = poms.resolve(name);
    FileTree.directory(target.getParent());
    Files.write(target, pom(name));
  }

  private static void arrange(Path jars, Path share) throws IOException {
    ReleaseLayout layout = new ReleaseLayout();
    for (String folder : ReleaseLayout.FOLDERS) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(jars.resolve(folder))) {
        for (Path jar : files) {
          Optional<Path> place = layout.place(folder, jar.getFileName().toString());
          if (place.isPresent()) {
            Path target = share.resolve(place.get());
            FileTree.directory(target.getParent());
            Files.move(jar, target);
          }
        }
      }
    }
  }

  /** HDFS's web applications are published only inside the jar of its tests. */
  private static void webApplications(Path hdfs, String hadoopVersion) throws IOException {
    Path tests = hdfs.resolve("hadoop-hdfs-" + hadoopVersion + "-tests.jar");
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(tests))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = hdfs.resolve(entry.getName()).normalize();
        if (target.startsWith(hdfs.resolve("webapps")) && !entry.isDirectory()) {
          FileTree.directory(target.getParent());
          Files.copy(zip, target);
        }
      }
    }
  }

  private static String firstErrors(String output) {
    return Splitter.on('\n')
        .splitToStream(output)
        .filter(line -> line.contains("ERROR"))
        .limit(5)
        .collect(Collectors.joining("\n"));
  }
}
