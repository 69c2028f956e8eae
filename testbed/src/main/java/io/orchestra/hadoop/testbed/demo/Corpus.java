package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Real text: the Java sources of Hadoop itself, joined to files of about ten megabytes. */
final class Corpus {
  private static final long FILE_BYTES = 10_000_000;

  private final Path directory;

  /**
   * @param directory where the files are kept, also for the next time
   */
  Corpus(Path directory) {
    this.directory = directory;
  }

  /** The files, at most so many; they are made from a release's source jars if missing. */
  List<Path> files(HadoopHome hadoop, int most) {
    if (!Files.isDirectory(directory)) {
      make(hadoop);
    }
    List<Path> files = list(directory, ".txt");
    return files.subList(0, Math.min(most, files.size()));
  }

  private void make(HadoopHome hadoop) {
    List<Path> jars = new ArrayList<>();
    for (String role : List.of("common", "hdfs", "yarn", "mapreduce")) {
      Path sources = hadoop.root().resolve("share/hadoop").resolve(role).resolve("sources");
      if (Files.isDirectory(sources)) {
        jars.addAll(list(sources, "-sources.jar"));
      }
    }
    if (jars.isEmpty()) {
      throw new TestbedException(
          "no source jars below " + hadoop.root() + "/share/hadoop/*/sources to take text from");
    }
    Path work = directory.resolveSibling(directory.getFileName() + ".new");
    FileTree.delete(work);
    FileTree.directory(work);
    try (RollingFile out = new RollingFile(work)) {
      for (Path jar : jars) {
        append(jar, out);
      }
    } catch (IOException e) {
      throw new TestbedException("cannot make the text: " + e.getMessage(), e);
    }
    try {
      Files.move(work, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException("cannot make " + directory + ": " + e.getMessage(), e);
    }
  }

  private static void append(Path jar, RollingFile out) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(".java")) {
          out.write(zip.readAllBytes());
        }
      }
    }
  }

  private static List<Path> list(Path directory, String ending) {
    return FileTree.list(directory).stream()
        .filter(file -> file.toString().endsWith(ending))
        .toList();
  }

  /** Begins a new file whenever the last is long enough. */
  private static final class RollingFile implements AutoCloseable {
    private final Path directory;
    private OutputStream current = OutputStream.nullOutputStream();
    private long written = FILE_BYTES;
    private int number;

    RollingFile(Path directory) {
      this.directory = directory;
    }

    void write(byte[] bytes) throws IOException {
      if (written >= FILE_BYTES) {
        current.close();
        number++;
        current = Files.newOutputStream(directory.resolve("sources-" + number + ".txt"));
        written = 0;
      }
      current.write(bytes);
      written += bytes.length;
    }

    @Override
    public void close() throws IOException {
      current.close();
    }
  }
}
