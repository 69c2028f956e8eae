package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * Where a socket is, without symbolic links on the way. Nobody but root and the directory's owner
 * may be able to put another socket there. Both ends check it, for a false server could give false
 * bytes.
 */
public final class SocketDirectory {
  private final Path directory;
  private final Path name;

  private SocketDirectory(Path directory, Path name) {
    this.directory = directory;
    this.name = name;
  }

  /**
   * @throws IOException if the socket's directory does not exist
   */
  public static SocketDirectory of(Path socket) throws IOException {
    return new SocketDirectory(socket.getParent().toRealPath(), socket.getFileName());
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
    for (Path above = directory; above != null; above = above.getParent()) {
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
