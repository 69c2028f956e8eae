package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes what an {@link Installer} made, and nothing else: files that somebody put beside ours
 * stay, with the directories that they are in.
 */
public final class Uninstaller {
  private final Installation installation;
  private final Duration patience;

  public Uninstaller(HadoopHome home) {
    this(home, InstallationLock.PATIENCE);
  }

  /**
   * @param patience with another command that changes the home
   */
  Uninstaller(HadoopHome home, Duration patience) {
    installation = new Installation(home);
    this.patience = patience;
  }

  /**
   * @param configuration what the daemons of this home are configured by
   * @param others what some of them are configured by besides; may be nothing
   * @throws OperatorException if any of it still names classes of ours, without which daemons would
   *     not start, if that cannot be told, or if there is no configuration
   */
  public void requireUnused(Path configuration, Collection<Path> others) {
    Optional<String> nothing = Site.nothingIn(configuration);
    if (nothing.isPresent()) {
      throw new OperatorException(
          nothing.get(),
          "name the directory that has them, with --conf (--force removes the jars in any case)");
    }
    List<String> named = new ArrayList<>(NamedByOperator.in(configuration));
    others.forEach(other -> named.addAll(NamedByOperator.in(other)));
    if (!named.isEmpty()) {
      throw new OperatorException(
          "the configuration still names classes of Orchestra, without which daemons do not start:\n    "
              + String.join("\n    ", named),
          "take them out and restart what reads them, then run this again (--force removes the jars in any case)");
    }
  }

  /**
   * @param dryRun only tell
   * @return a line for each change; none if nothing was installed
   */
  public List<String> uninstall(boolean dryRun) {
    try {
      if (dryRun) {
        return steps(true);
      }
      return isAbsent() ? List.of() : uninstallAlone();
    } catch (AccessDeniedException e) {
      throw installation.refused("remove", e);
    } catch (IOException e) {
      throw new OperatorException("cannot uninstall: " + e, "run this again", e);
    }
  }

  private boolean isAbsent() throws IOException {
    return !Files.isDirectory(installation.base()) && installation.roles().isEmpty();
  }

  private List<String> uninstallAlone() throws IOException {
    List<String> changes;
    try (InstallationLock lock = InstallationLock.take(installation, patience)) {
      changes = steps(false);
      lock.removeFile();
    }
    // Now: NFS keeps a file, under another name, until it is closed.
    deleteIfEmpty(installation.base());
    return changes;
  }

  private List<String> steps(boolean dryRun) throws IOException {
    List<String> changes = new ArrayList<>();
    List<Path> remains = installation.remains();
    // Before the link goes, which tells the one in force.
    List<Path> versions = installation.versions();
    boolean ownsDirectory = installation.profile().isAloneInDirectoryOfItsOwn();
    // First, so that no program starts with a class path that leads nowhere.
    if (!installation.roles().isEmpty()) {
      remove(installation.profile().file(), dryRun, changes);
    }
    if (Files.isSymbolicLink(installation.current())) {
      remove(installation.current(), dryRun, changes);
    }
    for (Path version : versions) {
      changes.add("remove " + version);
      if (!dryRun) {
        removeVersion(version, changes);
      }
    }
    for (Path unfinished : installation.unfinished()) {
      changes.add("remove %s, which an installer left".formatted(unfinished));
      if (!dryRun) {
        delete(unfinished, changes);
      }
    }
    for (Path remain : remains) {
      changes.add("remove %s, which was left".formatted(remain));
      if (!dryRun) {
        delete(remain, changes);
      }
    }
    // Last, as its parent may be somebody else's, who has to let it go.
    if (ownsDirectory) {
      Path directory = installation.profile().file().getParent();
      changes.add("remove " + directory);
      if (!dryRun) {
        deleteIfEmpty(directory);
      }
    }
    return changes;
  }

  /** What is left in our directory and is not ours; not what could not be deleted. */
  public List<Path> left() {
    if (!Files.isDirectory(installation.base())) {
      return List.of();
    }
    try {
      List<Path> remains = installation.remains();
      return FileTree.paths(installation.base()).stream()
          .filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
          .filter(path -> remains.stream().noneMatch(path::startsWith))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new OperatorException(
          "cannot list " + installation.base() + ": " + e, "check that it can be read", e);
    }
  }

  private static void remove(Path file, boolean dryRun, List<String> changes) throws IOException {
    changes.add("remove " + file);
    if (!dryRun) {
      Files.delete(file);
    }
  }

  private void removeVersion(Path version, List<String> changes) throws IOException {
    FileList files = FileList.read(version);
    if (!files.others(version).isEmpty() || !discard(version, changes)) {
      removeOurs(version, files);
    }
  }

  /** Whether it could be given another name, by which the next command finds what is left. */
  private boolean discard(Path version, List<String> changes) throws IOException {
    Path aside;
    try {
      aside = installation.setAside(version);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      // As where it has a file system of its own.
      return false;
    }
    delete(aside, changes);
    return true;
  }

  /** As far as that is possible, but for what another user may. */
  private static void delete(Path tree, List<String> changes) throws IOException {
    try {
      FileTree.delete(tree);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      changes.add(Installation.leave(tree, e));
    }
  }

  /** Without what somebody else has put there, and the directories that this is in. */
  private static void removeOurs(Path version, FileList files) throws IOException {
    Set<Path> directories = new HashSet<>();
    Path real = version.toRealPath();
    for (String name : files.checksums().keySet()) {
      Path file = version.resolve(name).normalize();
      if (!file.startsWith(version.normalize())
          || file.equals(version.normalize())
          || !isBelow(real, file.getParent())) {
        continue;
      }
      boolean unused = Files.deleteIfExists(file);
      for (Path above = file.getParent(); !above.equals(version); above = above.getParent()) {
        directories.add(above);
      }
    }
    for (Role role : Role.values()) {
      boolean unused = Files.deleteIfExists(version.resolve(role.stableJarName()));
    }
    for (Path directory : directories.stream().sorted(Comparator.reverseOrder()).toList()) {
      deleteIfEmpty(directory);
    }
    // Last: without it the next command would take what is left for somebody else's.
    Files.delete(version.resolve(FileList.NAME));
    deleteIfEmpty(version);
  }

  /** Whether no link leads elsewhere, as where somebody has put one in the place of a directory. */
  private static boolean isBelow(Path real, Path directory) throws IOException {
    return Files.isDirectory(directory) && directory.toRealPath().startsWith(real);
  }

  private static void deleteIfEmpty(Path directory) throws IOException {
    // A link to another disk is not ours.
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      try {
        // Another command may have removed it, or be using it.
        boolean unused = Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException e) {
        // What is in it stays.
      }
    }
  }
}
