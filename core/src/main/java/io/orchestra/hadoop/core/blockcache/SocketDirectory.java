package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Where a socket is, without symbolic links on the way. Nobody but root and the directory's owner
 * may be able to put another socket there, or to let one of these links lead elsewhere. Both ends
 * check it, for a false server could give false bytes.
 */
public final class SocketDirectory {
  private static final int MOST_LINKS = 40;

  private final Path directory;
  private final Path name;

  /** Directories with links that were followed. */
  private final Set<Path> linking;

  private SocketDirectory(Path directory, Path name, Set<Path> linking) {
    this.directory = directory;
    this.name = name;
    this.linking = linking;
  }

  /**
   * @param socket an absolute path
   * @throws IOException if the socket's directory does not exist
   */
  public static SocketDirectory of(Path socket) throws IOException {
    Set<Path> linking = new LinkedHashSet<>();
    Deque<Path> names = new ArrayDeque<>();
    socket.getParent().forEach(names::add);
    Path real = socket.getRoot();
    for (int links = 0; !names.isEmpty(); ) {
      Path next = real.resolve(names.removeFirst()).normalize();
      if (!Files.isSymbolicLink(next)) {
        real = next;
        continue;
      }
      if (++links > MOST_LINKS) {
        throw new FileSystemLoopException(socket.toString());
      }
      linking.add(real);
      Path target = Files.readSymbolicLink(next);
      real = target.isAbsolute() ? target.getRoot() : real;
      // With a library's lists, a map's JVM would load dozens of classes where /var/run is a link.
      for (int name = target.getNameCount() - 1; name >= 0; name--) {
        names.addFirst(target.getName(name));
      }
    }
    if (!Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
      throw new NoSuchFileException(real.toString());
    }
    return new SocketDirectory(real, socket.getFileName(), linking);
  }

  /** The socket's real path. */
  Path socket() {
    return directory.resolve(name);
  }

  /**
   * @throws IOException if somebody else than root and the directory's owner can change a directory
   *     on the way
   */
  public void verify() throws IOException {
    long owner = UserIds.owner(directory);
    verify(directory, owner);
    for (Path link : linking) {
      verify(link, owner);
    }
  }

  private static void verify(Path below, long owner) throws IOException {
    for (Path above = below; above != null; above = above.getParent()) {
      Set<PosixFilePermission> permissions =
          Files.getPosixFilePermissions(above, LinkOption.NOFOLLOW_LINKS);
      if (permissions.contains(PosixFilePermission.GROUP_WRITE)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(
            "%s is writable for others than its owner, who could then stand in for the DataNode"
                .formatted(above));
      }
      long user = UserIds.owner(above);
      if (user != UserIds.ROOT && user != owner) {
        throw new IOException(
            "%s belongs to user %d, who could then stand in for the DataNode of user %d"
                .formatted(above, user, owner));
      }
    }
  }

  /**
   * The same, for the server.
   *
   * @throws IOException also if the directory belongs to somebody else than root and this process's
   *     user
   */
  void verifyOwn() throws IOException {
    verify();
    long owner = UserIds.owner(directory);
    if (owner != UserIds.ROOT && owner != UserIds.thisProcess()) {
      throw new IOException(
          "%s belongs to user %d and not to the DataNode's, %d"
              .formatted(directory, owner, UserIds.thisProcess()));
    }
  }

  /**
   * @param server who listens there, as the kernel knows him
   * @throws IOException if that is neither the directory's owner nor root
   */
  void verifyServer(UserPrincipal server) throws IOException {
    UserPrincipal owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
    if (!server.equals(owner) && !server.getName().equals("root")) {
      throw new IOException(
          "%s serves %s, whose directory belongs to %s".formatted(server, socket(), owner));
    }
  }
}
