package io.orchestra.hadoop.prefetch.traffic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Where a helper's socket may be. */
final class SocketPlace {
  private static final int OTHERS_WRITE = 0022;
  private static final int STICKY = 01000;

  private SocketPlace() {}

  /**
   * @return the same by a name without links above it, since these could lead elsewhere by the time
   *     that it is used
   * @throws IOException if others than root can change its directory
   */
  static Path verified(Path socket) throws IOException {
    Path absolute = socket.toAbsolutePath();
    if (absolute.getParent() == null) {
      throw new IOException("%s is no name of a socket".formatted(socket));
    }
    Path directory = absolute.getParent().toRealPath();
    verify(directory);
    return directory.resolve(absolute.getFileName());
  }

  /**
   * Whoever could change the directory could put a link to any file in the socket's place while
   * root opens it to everybody.
   *
   * @param directory of the socket
   */
  private static void verify(Path directory) throws IOException {
    int self = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    for (Path above = directory; above != null; above = above.getParent()) {
      int owner = (int) Files.getAttribute(above, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      int mode = (int) Files.getAttribute(above, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      boolean others = (mode & OTHERS_WRITE) != 0;
      // What is in a sticky directory only its owner can move away.
      boolean sticky = (mode & STICKY) != 0 && !above.equals(directory);
      if ((owner != 0 && owner != self) || (others && !sticky)) {
        throw new IOException(
            "%s can be changed by others than root. Give the socket a directory of root's, such as systemd makes with RuntimeDirectory="
                .formatted(above));
      }
    }
  }
}
