package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SocketPlaceTest {
  @Test
  void whatIsVerifiedIsWhatIsUsed(@TempDir Path directory) throws IOException {
    Path real = directory(directory, "rwxr-xr-x");
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);

    assertThat(SocketPlace.verified(link.resolve("socket"))).isEqualTo(real.resolve("socket"));
  }

  @Test
  void aDirectoryThatOthersCanChangeIsRefused(@TempDir Path directory) throws IOException {
    Path open = directory(directory, "rwxrwxrwx");

    assertThatThrownBy(() -> SocketPlace.verified(open.resolve("socket")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("can be changed by others than root");
  }

  @Test
  void theRootIsNoSocket() {
    assertThatThrownBy(() -> SocketPlace.verified(Path.of("/")))
        .isInstanceOf(IOException.class)
        .hasMessage("/ is no name of a socket");
  }

  private static Path directory(Path parent, String permissions) throws IOException {
    Path made = Files.createDirectory(parent.toRealPath().resolve("made"));
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
  }
}
