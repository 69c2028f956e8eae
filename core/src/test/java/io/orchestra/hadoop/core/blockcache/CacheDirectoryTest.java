package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheDirectoryTest {
  @TempDir Path temporary;
  private Path path;
  private CacheDirectory directory;

  @BeforeEach
  void choose() {
    path = temporary.resolve("hadoop/blocks");
    directory = new CacheDirectory(path);
  }

  @Test
  void isMadePrivate() throws IOException {
    directory.make();
    assertThat(permissions(path)).isEqualTo("rwx------");
  }

  @Test
  void becomesPrivateIfItWasNot() throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    directory.make();
    assertThat(permissions(path)).isEqualTo("rwx------");
  }

  @Test
  void isMadeAgainWhenItIsGone() throws IOException {
    directory.make();
    Files.delete(path);
    directory.make();
    directory.newFile().close();
    assertThat(permissions(path)).isEqualTo("rwx------");
  }

  @Test
  void holdsFilesThatNobodyElseMayRead() throws IOException {
    directory.make();
    try (FileChannel file = directory.newFile();
        Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(file.size()).isZero();
      assertThat(descriptors.filter(this::isOurs).map(CacheDirectoryTest::permissions))
          .containsExactly("rw-------");
    }
  }

  private boolean isOurs(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(path);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void isNoLinkToADirectoryThatSomebodyElseChose() throws IOException {
    Path chosen = Files.createDirectory(temporary.resolve("chosen"));
    Files.createDirectory(path.getParent());
    Files.createSymbolicLink(path, chosen);
    assertThatThrownBy(directory::make)
        .hasMessageContaining(path + " is a symbolic link")
        .hasMessageContaining("remove it, or set orchestra.block-cache.directory");
  }

  @Test
  void isNoFile() throws IOException {
    Files.createDirectory(path.getParent());
    Files.createFile(path);
    assertThatThrownBy(directory::make).hasMessageContaining(path + " is a file");
  }

  @Test
  void belongsToNobodyElse() throws IOException {
    assumeThat(System.getProperty("user.name")).as("only root gives files away").isEqualTo("root");
    directory.make();
    Files.setAttribute(path, "unix:uid", 54_321);
    assertThatThrownBy(directory::make)
        .hasMessageContaining(path + " is a directory of 54321")
        .hasMessageContaining("remove it, or set orchestra.block-cache.directory");
  }

  @Test
  void leavesATwentiethOfItsDiskFreeButNoMoreThanAGibibyte() {
    assertThat(CacheDirectory.reserve(200)).isEqualTo(10);
    assertThat(CacheDirectory.reserve(10L << 40)).isEqualTo(1L << 30);
    long usable = temporary.toFile().getUsableSpace();
    assertThat(new CacheDirectory(temporary).free()).isLessThan(usable);
  }
}
