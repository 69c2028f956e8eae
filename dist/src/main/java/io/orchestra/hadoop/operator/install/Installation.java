package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where things are in a Hadoop home that we are, or shall be, installed in: one directory for each
 * version in {@code orchestra}, of which {@code orchestra/current} is a link to the one in force,
 * and one file among the shell profiles.
 */
public final class Installation {
  private static final String WORK = ".installing-";
  private static final String REMOVED = ".removed-";
  private static final Pattern CLIENT_JAR = Pattern.compile("jars/orchestra-client-(.+)\\.jar");

  /** What begins so nobody uses, whoever left it. */
  private static final List<String> REMAINS = List.of(REMOVED, ".damaged-", AtomicFiles.LINK);

  private final HadoopHome home;

  public Installation(HadoopHome home) {
    this.home = home;
  }

  Path base() {
    return home.root().resolve("orchestra");
  }

  /** Whether an installer has been here. */
  boolean isPresent() {
    return Files.isSymbolicLink(current()) || Files.exists(profile().file());
  }

  /** The link to the version in force. */
  public Path current() {
    return base().resolve("current");
  }

  /** The version in force, without links; the link if it leads nowhere. */
  public Path inForce() {
    try {
      return current().toRealPath();
    } catch (IOException e) {
      return current();
    }
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

  /**
   * @throws OperatorException if something that no installer made has the link's name
   */
  void requireLink() {
    if (Files.exists(current(), LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(current())) {
      throw new OperatorException(
          "%s is no link to a version, as where a home was copied without its links"
              .formatted(current()),
          "remove it, then run install from an unpacked archive; until then, daemons that start find none of our classes");
    }
  }

  /** Names of jars, as class paths have them, that lead nowhere in a version's directory. */
  static List<String> lostLinks(Path version) {
    return Arrays.stream(Role.values())
        .map(Role::stableJarName)
        .filter(name -> !Files.isRegularFile(version.resolve(name)))
        .toList();
  }

  /** Files in force that are missing or changed. */
  public List<String> damaged() throws IOException {
    List<String> damaged = new ArrayList<>();
    if (Files.exists(current().resolve(FileList.NAME))) {
      damaged.addAll(FileList.read(current()).damaged(current()));
      damaged.addAll(lostLinks(current()));
    } else {
      damaged.add(FileList.NAME);
    }
    return damaged;
  }

  /** A directory in which a version is copied, until it has its name. */
  Path workDirectory() throws IOException {
    return Files.createTempDirectory(base(), WORK);
  }

  /** Takes the name from a directory, so that it can be deleted while its files are in use. */
  Path setAside(Path directory) throws IOException {
    Path aside = Files.createTempDirectory(base(), REMOVED);
    try {
      return Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      boolean unused = Files.deleteIfExists(aside);
      throw e;
    }
  }

  /** Deletes a version that is not in force. */
  void discard(Path version, List<String> changes) {
    try {
      delete(setAside(version), changes);
    } catch (IOException e) {
      changes.add(leave(version, e));
    }
  }

  /**
   * What cannot be deleted, as where a host that shares the home has it open, stays and is told.
   */
  void delete(Path tree, List<String> changes) {
    try {
      FileTree.delete(tree);
    } catch (IOException e) {
      changes.add(leave(tree, e));
    }
  }

  static String leave(Path tree, IOException e) {
    return "leave %s to the next install or uninstall, since not all of it can be deleted: %s"
        .formatted(tree, e);
  }

  /** Directories in which a version was copied when the installer was killed, or still is. */
  List<Path> unfinished() throws IOException {
    return beginningWith(List.of(WORK));
  }

  /** What was set aside and could not be deleted then, or was never put in its place. */
  List<Path> remains() throws IOException {
    return beginningWith(REMAINS);
  }

  private List<Path> beginningWith(List<String> prefixes) throws IOException {
    return entries().stream()
        .filter(entry -> prefixes.stream().anyMatch(entry.getFileName().toString()::startsWith))
        .toList();
  }

  /**
   * The directories of all versions that are here. One that somebody has copied beside them, and
   * called something else, is none.
   */
  List<Path> versions() throws IOException {
    Path inForce = inForce();
    List<Path> versions = new ArrayList<>();
    for (Path entry : entries()) {
      if (!Files.isSymbolicLink(entry)
          && Files.exists(entry.resolve(FileList.NAME))
          && (entry.toRealPath().equals(inForce) || isNamedByItsFiles(entry))) {
        versions.add(entry);
      }
    }
    return versions;
  }

  /** As no copy is that somebody has made, and nothing that another program has put here. */
  private static boolean isNamedByItsFiles(Path directory) {
    try {
      FileList files = FileList.read(directory);
      return files.checksums().keySet().stream()
          .map(CLIENT_JAR::matcher)
          .filter(Matcher::matches)
          .anyMatch(jar -> directory.endsWith(name(jar.group(1), files)));
    } catch (IOException e) {
      return false;
    }
  }

  /** What the directory of a version is called. */
  static String name(String version, FileList files) {
    return version + "-" + files.fingerprint();
  }

  private List<Path> entries() throws IOException {
    if (!Files.isDirectory(base())) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(base())) {
      return entries.sorted().toList();
    }
  }

  /**
   * What to tell who may not do something with a file.
   *
   * @param deed such as {@code write}
   */
  OperatorException refused(String deed, AccessDeniedException e) {
    String problem = "no permission to %s %s".formatted(deed, e.getFile());
    Path there = Path.of(e.getFile()).toAbsolutePath();
    while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    try {
      UserPrincipal owner = Files.getOwner(there, LinkOption.NOFOLLOW_LINKS);
      UserPrincipal wanted = Files.getOwner(home.root());
      if (!owner.equals(wanted) && there.startsWith(home.root())) {
        // Somebody else has installed before, most often root.
        return new OperatorException(
            "%s: %s belongs to %s, and the home to %s".formatted(problem, there, owner, wanted),
            "as root: chown -R -h %s %s; then run this as %s"
                .formatted(wanted, there.startsWith(base()) ? base() : there, wanted),
            e);
      }
    } catch (IOException unknownOwner) {
      e.addSuppressed(unknownOwner);
    }
    return new OperatorException(
        problem, "run this as the user who owns %s".formatted(home.root()), e);
  }
}
