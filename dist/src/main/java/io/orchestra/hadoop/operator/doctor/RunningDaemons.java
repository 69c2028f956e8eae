package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Programs of a Hadoop home that run on this host, by the marks that Hadoop's scripts give them.
 */
final class RunningDaemons {
  private static final String PROGRAM = "-Dproc_";
  private static final String HOME = "-Dhadoop.home.dir=";

  private final Path home;

  /**
   * @param home others may run from other homes
   */
  RunningDaemons(Path home) {
    this.home = home;
  }

  /** Whether one runs that gets the jar of a role. */
  boolean haveRole(Role role) {
    List<String> marks = subcommands(role).map(PROGRAM::concat).toList();
    return ProcessHandle.allProcesses()
        .map(process -> words(process.pid()))
        .anyMatch(words -> words.stream().anyMatch(marks::contains) && isOfHome(words));
  }

  /** What a process was started with; nothing if it has ended. Java tells no more than 4 KiB. */
  private static List<String> words(long process) {
    try {
      byte[] text = Files.readAllBytes(Path.of("/proc", Long.toString(process), "cmdline"));
      return List.of(new String(text, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** As in the shell profile. */
  private static Stream<String> subcommands(Role role) {
    return switch (role) {
      case NAMENODE ->
          Stream.of("namenode", "secondarynamenode", "balancer", "mover", "fsImageValidation");
      case CLIENT -> Stream.of();
      default -> Stream.of(role.roleName());
    };
  }

  private boolean isOfHome(List<String> words) {
    return words.stream()
        .filter(word -> word.startsWith(HOME))
        .anyMatch(word -> isHome(Path.of(word.substring(HOME.length()))));
  }

  private boolean isHome(Path path) {
    try {
      return path.toRealPath().equals(home.toRealPath());
    } catch (IOException e) {
      // It has been moved away since.
      return false;
    }
  }
}
