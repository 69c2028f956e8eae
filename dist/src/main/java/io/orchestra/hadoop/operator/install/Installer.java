package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Installs a release in a Hadoop home.
 *
 * <p>Each step is one rename, and after each the home is whole: a program that starts meanwhile
 * finds the old version or the new one. Running again does what is still to do, and nothing if that
 * is nothing. Installers on several hosts may share a home: they change it one after another, and
 * keep each other's roles. The version before stays until the next but one is installed: daemons
 * that run still load classes from it.
 */
public final class Installer {
  /** No installer of a host that shares this home copies for so long. */
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Release release;
  private final Installation installation;
  private final Duration patience;

  public Installer(Release release, HadoopHome home) {
    this(release, home, InstallationLock.PATIENCE);
  }

  /**
   * @param patience with another command that changes the home
   */
  Installer(Release release, HadoopHome home, Duration patience) {
    this.release = release;
    this.installation = new Installation(home);
    this.patience = patience;
  }

  /**
   * Adds roles to those that the home has, in this version for all of them.
   *
   * @param dryRun only tell
   * @return a line for each change; none if everything was so already
   */
  public List<String> install(Set<Role> added, boolean dryRun) {
    try {
      return dryRun ? steps(added, release.files(), true) : installAlone(added);
    } catch (AccessDeniedException e) {
      throw Path.of(e.getFile()).startsWith(release.root())
          ? new OperatorException(
              "no permission to read " + e.getFile(),
              "unpack the archive as the user who runs this, or where that user may read it",
              e)
          : installation.refused("write", e);
    } catch (FileAlreadyExistsException e) {
      throw new OperatorException(
          "cannot install: %s is in the way, since it is no directory".formatted(e.getFile()),
          "move it away, then run this again",
          e);
    } catch (IOException e) {
      throw new OperatorException(
          "cannot install: " + e,
          "check that the disk has room and can be written to, then run this again",
          e);
    }
  }

  private List<String> installAlone(Set<Role> added) throws IOException {
    FileList files = release.files();
    // A profile that is not ours is found before anything is made.
    Set<Role> unused = installation.roles();
    try (InstallationLock lock = InstallationLock.take(installation, patience)) {
      return steps(added, files, false);
    }
  }

  private List<String> steps(Set<Role> added, FileList files, boolean dryRun) throws IOException {
    installation.requireLink();
    Set<Role> roles = EnumSet.of(Role.CLIENT);
    roles.addAll(installation.roles());
    roles.addAll(added);
    String name = Installation.name(release.version(), files);
    List<String> changes = new ArrayList<>();
    List<Path> remains = installation.remains();
    Path directory = installation.base().resolve(name);
    if (!complete(directory, files)) {
      changes.add("copy %s to %s".formatted(release.root(), directory));
      if (!dryRun) {
        copy(files, directory, changes);
      }
    }
    Optional<String> before = installation.version();
    boolean replaced = !before.equals(Optional.of(name));
    if (replaced) {
      changes.add("make %s a link to %s".formatted(installation.current(), name));
      if (!dryRun) {
        AtomicFiles.link(installation.current(), name);
      }
    }
    Path profile = installation.profile().file();
    String text =
        ShellProfile.render(release.version(), roles, installation.profile().needsDirectory());
    if (!Files.exists(profile) || !Files.readString(profile).equals(text)) {
      changes.add(
          "write %s for the roles %s"
              .formatted(profile, String.join(", ", roles.stream().map(Role::roleName).toList())));
      if (!dryRun) {
        AtomicFiles.directory(profile.getParent());
        AtomicFiles.write(profile, text);
      }
    }
    if (replaced) {
      for (Path old : installation.versions()) {
        if (!old.equals(directory) && !before.equals(Optional.of(old.getFileName().toString()))) {
          removeEarlier(old, dryRun, changes);
        }
      }
    }
    for (Path remain : remains) {
      changes.add("remove %s, which was left".formatted(remain));
      if (!dryRun) {
        installation.delete(remain, changes);
      }
    }
    for (Path unfinished : installation.unfinished()) {
      if (Files.getLastModifiedTime(unfinished)
          .toInstant()
          .isBefore(Instant.now().minus(LONGEST))) {
        changes.add("remove %s, which an installer left".formatted(unfinished));
        if (!dryRun) {
          installation.delete(unfinished, changes);
        }
      }
    }
    return changes;
  }

  private void removeEarlier(Path version, boolean dryRun, List<String> changes) {
    List<String> others;
    try {
      others = FileList.read(version).others(version);
    } catch (IOException e) {
      changes.add(Installation.leave(version, e));
      return;
    }
    if (!others.isEmpty()) {
      changes.add(
          "leave %s, an earlier version: these files in it are not ours: %s"
              .formatted(version, String.join(", ", others)));
      return;
    }
    changes.add("remove %s, an earlier version".formatted(version));
    if (!dryRun) {
      installation.discard(version, changes);
    }
  }

  /** Files that somebody has put beside ours, in a version that another copy replaces. */
  private static void copyOthers(FileList files, Path before, Path copy) throws IOException {
    for (String name : files.others(before)) {
      Path place = copy.resolve(name);
      Path unused = Files.createDirectories(place.getParent());
      unused =
          Files.copy(
              before.resolve(name),
              place,
              StandardCopyOption.COPY_ATTRIBUTES,
              LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static boolean complete(Path directory, FileList files) throws IOException {
    return Files.exists(directory.resolve(FileList.NAME))
        && FileList.read(directory).equals(files)
        && files.damaged(directory).isEmpty()
        && Installation.lostLinks(directory).isEmpty();
  }

  private void copy(FileList files, Path directory, List<String> changes) throws IOException {
    Path work = installation.workDirectory();
    try {
      AtomicFiles.permit(work, "rwxr-xr-x");
      AtomicFiles.copy(files.checksums().keySet(), release.root(), work);
      for (Role role : Role.values()) {
        Path link = work.resolve(role.stableJarName());
        Path unused = Files.createSymbolicLink(link, release.root().relativize(release.jar(role)));
      }
      // Last: what has this file is complete.
      AtomicFiles.write(work.resolve(FileList.NAME), files.text());
      // A directory of that name that is not complete has lost something since it was installed.
      boolean isDamaged = Files.isDirectory(directory);
      if (isDamaged) {
        copyOthers(files, directory, work);
      }
      Optional<Path> damaged =
          isDamaged ? Optional.of(installation.setAside(directory)) : Optional.empty();
      Files.move(work, directory, StandardCopyOption.ATOMIC_MOVE);
      damaged.ifPresent(aside -> installation.delete(aside, changes));
    } finally {
      if (Files.exists(work)) {
        FileTree.delete(work);
      }
    }
  }
}
