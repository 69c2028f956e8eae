package io.orchestra.hadoop.core.blockcache;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Users of this host by their numbers, which need no lookup of names. */
final class UserIds {
  static final long ROOT = 0;

  private UserIds() {}

  /** Of a file; of a symbolic link itself. */
  static long owner(Path file) throws IOException {
    return Integer.toUnsignedLong(
        (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS));
  }

  static long thisProcess() {
    return new UnixSystem().getUid();
  }
}
