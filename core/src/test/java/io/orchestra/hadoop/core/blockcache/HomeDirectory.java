package io.orchestra.hadoop.core.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary directories below the user's own: everybody can write to {@code /tmp}. */
final class HomeDirectory implements TempDirFactory {
  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return Files.createTempDirectory(Path.of(System.getProperty("user.home")), ".orchestra-test");
  }

  /** Makes a directory, whatever the mask of permissions is. */
  static Path make(Path directory, String permissions) throws IOException {
    Files.createDirectory(directory);
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
  }
}
