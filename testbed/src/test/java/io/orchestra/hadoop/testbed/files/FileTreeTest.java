package io.orchestra.hadoop.testbed.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileTreeTest {
  @TempDir private Path directory;

  @Test
  void directoriesThatExistKeepTheirPermissions() throws IOException {
    Path closed = FileTree.directory(directory.resolve("closed"), "rwx------");
    FileTree.directory(closed.resolve("a/b"), "rwxrwx---");
    FileTree.directory(closed);
    assertThat(permissions(closed)).isEqualTo("rwx------");
    assertThat(permissions(closed.resolve("a"))).isEqualTo("rwxr-xr-x");
    assertThat(permissions(closed.resolve("a/b"))).isEqualTo("rwxrwx---");
  }

  @Test
  void writtenFilesReplaceOldOnesAndEverybodyReadsThem() throws IOException {
    Path file = directory.resolve("file");
    FileTree.write(file, "old");
    FileTree.write(file, "new");
    assertThat(file).hasContent("new");
    assertThat(permissions(file)).isEqualTo("rw-r--r--");
    assertThat(directory).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void bytesThatAreNoTextAreReplaced() throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[] {'a', (byte) 0xe9, 'b'});
    assertThat(FileTree.read(file)).isEqualTo("a\ufffdb");
  }

  @Test
  void deletingWhatDoesNotExistIsNoError() {
    FileTree.delete(directory.resolve("nothing"));
    FileTree.delete(FileTree.directory(directory.resolve("some/thing")).getParent());
    assertThat(directory).isEmptyDirectory();
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
