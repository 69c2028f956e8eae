package io.orchestra.hadoop.prefetch.traffic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/** A program in the place of tc that writes down what it is told. */
final class FakeTc {
  private final Path directory;

  FakeTc(Path directory) throws IOException {
    this.directory = directory;
    has("");
    Files.createFile(directory.resolve("lines"));
  }

  Tc tc() throws IOException {
    return program(
        directory,
        Duration.ofMinutes(1),
        """
        cd '%s'
        if [ "$1" = -batch ]; then
          /bin/cat >> lines
          if [ -e failing ]; then
            /bin/mv failing queues
            echo made up
            exit 1
          fi
        else
          /bin/cat queues
        fi
        """
            .formatted(directory));
  }

  static Tc program(Path directory, Duration longest, String script) throws IOException {
    Path program = directory.resolve("tc");
    Files.writeString(program, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new Tc(program, longest);
  }

  /** The queues of the device. */
  void has(String queues) throws IOException {
    Files.writeString(directory.resolve("queues"), queues);
  }

  /**
   * The next lines fail.
   *
   * @param queues that the device has then
   */
  void fails(String queues) throws IOException {
    Files.writeString(directory.resolve("failing"), queues);
  }

  List<String> lines() throws IOException {
    return Files.readAllLines(directory.resolve("lines"));
  }
}
