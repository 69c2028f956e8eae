package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files of cached blocks have no name; the kernel shows them to the process that has them open. */
final class NamelessFiles {
  private static final Path OPEN = Path.of("/proc/self/fd");

  private NamelessFiles() {}

  /** What is done to a file. */
  @FunctionalInterface
  private interface Harm {
    void to(RandomAccessFile file) throws IOException;
  }

  /** Changes a byte of all files that were made in a directory. */
  static void flip(Path directory, long position) throws IOException {
    harm(
        directory,
        file -> {
          file.seek(position);
          int was = file.read();
          file.seek(position);
          file.write(~was);
        });
  }

  /** Takes the end of all files that were made in a directory. */
  static void truncate(Path directory, long length) throws IOException {
    harm(directory, file -> file.setLength(length));
  }

  private static void harm(Path directory, Harm harm) throws IOException {
    for (Path descriptor : open()) {
      if (target(descriptor).startsWith(directory + "/")) {
        try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
          harm.to(file);
        }
      }
    }
  }

  private static List<Path> open() throws IOException {
    try (Stream<Path> descriptors = Files.list(OPEN)) {
      return descriptors.toList();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // It was that of the list.
      return "";
    }
  }
}
