package io.orchestra.hadoop.integration.broadcast;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What jobs are given, in a directory of the host they are submitted on: files and archives, large
 * ones and small ones, and what is in the archives. Compressing does not shorten them.
 */
final class JobFiles {
  private static final int LARGE = 3_000_000;
  private static final int LARGEST = 12_000_000;
  private static final int SMALL = 10_000;

  private final Path directory;
  private final Random random = new Random(42);

  private JobFiles(Path directory) {
    this.directory = directory;
  }

  static JobFiles make(Path directory) throws IOException {
    JobFiles files = new JobFiles(FileTree.directory(directory));
    files.write("model.bin", LARGE);
    files.write("note.txt", SMALL);
    files.write("data/weights", LARGEST);
    files.write("data/more/weights", SMALL);
    files.write("lookup/table", LARGE);
    files.write("large/data", LARGE);
    files.write("small/data", SMALL);
    files.zip("lookup.zip", "lookup/table");
    files.zip("large.jar", "large/data");
    files.zip("small.jar", "small/data");
    Command.of(
            List.of(
                "tar",
                "--create",
                "--gzip",
                "--file=" + files.file("data.tgz"),
                "--directory=" + files.file("data"),
                "."))
        .output();
    for (String word : List.of("one", "two", "three")) {
      FileTree.write(files.file(word), word + " all\n");
    }
    return files;
  }

  /** A file, or the directory with what is in an archive. */
  Path file(String name) {
    return directory.resolve(name);
  }

  private void write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    FileTree.directory(file(name).getParent());
    Files.write(file(name), bytes);
  }

  /** An archive of one file. */
  private void zip(String name, String content) throws IOException {
    try (OutputStream out = Files.newOutputStream(file(name));
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry(file(content).getFileName().toString()));
      Files.copy(file(content), zip);
      zip.closeEntry();
    }
  }
}
