package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Where a socket may be: nobody but its owner and root can put another one in its place. Both ends
 * check it, for a false server could give false bytes.
 */
final class SocketDirectory {
  private SocketDirectory() {}

  /**
   * @throws IOException if a directory on the way to {@code socket} is writable for group or others
   */
  static void verify(Path socket) throws IOException {
    for (Path directory = socket.getParent();
        directory != null;
        directory = directory.getParent()) {
      Set<PosixFilePermission> permissions =
          Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
      if (permissions.contains(PosixFilePermission.GROUP_WRITE)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(
            "%s is writable for others than its owner, who could then stand in for the DataNode"
                .formatted(directory));
      }
    }
  }
}
