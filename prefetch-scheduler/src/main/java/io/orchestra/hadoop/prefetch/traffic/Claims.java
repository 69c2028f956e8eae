package io.orchestra.hadoop.prefetch.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What one helper has and no other may have meanwhile: its socket, and its devices. For each it has
 * a file locked, in the directory of the socket; locks are the kernel's, and end with their
 * process, while the files stay. Helpers whose sockets are in different directories do not know of
 * each other.
 */
final class Claims implements Closeable {
  private static final Set<OpenOption> OPTIONS =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);

  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The kernel's names of sockets have 108 bytes at most. */
  private static final int LONGEST_NAME = 200;

  /** Not only their channels: Java forgets locks that nobody refers to. */
  private final List<FileLock> locks = new ArrayList<>();

  private Claims() {}

  /**
   * @param socket its directory is there, and is root's
   * @throws IOException with the socket of the helper that has one of them
   */
  static Claims of(Path socket, Collection<String> devices) throws IOException {
    Claims claims = new Claims();
    try {
      claims.take(socket, socket.getFileName() + ".lock", socket.toString());
      for (String device : devices) {
        claims.take(socket, "device-" + device + ".lock", device);
      }
      return claims;
    } catch (IOException | RuntimeException e) {
      claims.close();
      throw e;
    }
  }

  private void take(Path socket, String file, String what) throws IOException {
    FileChannel channel = FileChannel.open(socket.resolveSibling(file), OPTIONS, PRIVATE);
    boolean isTaken = false;
    try {
      FileLock lock = attempt(channel);
      if (lock == null) {
        throw new IOException(
            "%s has a traffic helper already, whose socket is %s: end that one first, or give this one a socket and devices of its own"
                .formatted(what, content(channel)));
      }
      locks.add(lock);
      isTaken = true;
      // For whoever is refused.
      write(channel.truncate(0), socket.toString());
    } finally {
      if (!isTaken) {
        channel.close();
      }
    }
  }

  /** Null if it is another's, perhaps in this process. */
  private static FileLock attempt(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String content(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LONGEST_NAME);
    int unusedCount = channel.read(bytes);
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  private static void write(FileChannel channel, String words) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(words);
    while (bytes.hasRemaining()) {
      int unusedCount = channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    for (FileLock lock : locks) {
      lock.channel().close();
    }
  }
}
