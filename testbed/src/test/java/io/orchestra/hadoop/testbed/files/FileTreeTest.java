package io.orchestra.hadoop.testbed.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
  void manyMayMakeTheSameDirectoryAtOnce()
      throws IOException, InterruptedException, ExecutionException {
    int makers = 4;
    CyclicBarrier round = new CyclicBarrier(makers);
    ExecutorService threads = Executors.newFixedThreadPool(makers);
    try {
      Callable<Path> maker =
          () -> {
            for (int i = 0; i < 200; i++) {
              round.await(10, TimeUnit.SECONDS);
              FileTree.directory(directory.resolve(i + "/a/b"));
            }
            return directory;
          };
      for (Future<Path> made : threads.invokeAll(Collections.nCopies(makers, maker))) {
        made.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(permissions(directory.resolve("199/a/b"))).isEqualTo("rwxr-xr-x");
  }

  @Test
  void aFileWhereADirectoryShouldBeIsAnError() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatExceptionOfType(TestbedException.class)
        .isThrownBy(() -> FileTree.directory(file))
        .withMessageContaining("cannot make the directory " + file);
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
