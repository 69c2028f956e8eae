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

  /** Changes a byte of all files that were made in a directory. */
  static void flip(Path directory, long position) throws IOException {
    for (Path descriptor : open()) {
      if (target(descriptor).startsWith(directory + "/")) {
        try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
          file.seek(position);
          int was = file.read();
          file.seek(position);
          file.write(~was);
        }
      }
    }
  }

  /** Takes the end of all files that were made in a directory. */
  static void truncate(Path directory, long length) throws IOException {
    for (Path descriptor : open()) {
      if (target(descriptor).startsWith(directory + "/")) {
        try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
          file.setLength(length);
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
