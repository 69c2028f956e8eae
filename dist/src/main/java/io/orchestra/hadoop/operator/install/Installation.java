package io.orchestra.hadoop.operator.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where things are in a Hadoop home that we are, or shall be, installed in: one directory for each
 * version in {@code orchestra}, of which {@code orchestra/current} is a link to the one in force,
 * and one file among the shell profiles.
 */
public final class Installation {
  private static final String WORK = ".installing-";

  private final HadoopHome home;

  public Installation(HadoopHome home) {
    this.home = home;
  }

  HadoopHome home() {
    return home;
  }

  Path base() {
    return home.root().resolve("orchestra");
  }

  /** The link to the version in force. */
  public Path current() {
    return base().resolve("current");
  }

  ShellProfile profile() {
    return new ShellProfile(home);
  }

  /** The roles that this host has; none if nothing is installed. */
  public Set<Role> roles() throws IOException {
    return profile().roles();
  }

  /** The name of the directory in force, if anything is. */
  public Optional<String> version() throws IOException {
    return Files.isSymbolicLink(current())
        ? Optional.of(Files.readSymbolicLink(current()).toString())
        : Optional.empty();
  }

  /** Files in force that are missing or changed. */
  public List<String> damaged() throws IOException {
    List<String> damaged = new ArrayList<>();
    if (Files.exists(current().resolve(FileList.NAME))) {
      damaged.addAll(FileList.read(current()).damaged(current()));
    } else {
      damaged.add(FileList.NAME);
    }
    return damaged;
  }

  /** A directory in which a version is copied, until it has its name. */
  Path workDirectory() throws IOException {
    return Files.createTempDirectory(base(), WORK);
  }

  /** Directories in which a version was copied when the installer was killed, or still is. */
  List<Path> unfinished() throws IOException {
    if (!Files.isDirectory(base())) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(base())) {
      return entries.filter(entry -> entry.getFileName().toString().startsWith(WORK)).toList();
    }
  }

  /** The directories of all versions that are here. */
  List<Path> versions() throws IOException {
    if (!Files.isDirectory(base())) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(base())) {
      return entries
          .filter(entry -> !Files.isSymbolicLink(entry))
          .filter(entry -> !entry.getFileName().toString().startsWith(WORK))
          .filter(entry -> Files.exists(entry.resolve(FileList.NAME)))
          .sorted()
          .toList();
    }
  }
}
