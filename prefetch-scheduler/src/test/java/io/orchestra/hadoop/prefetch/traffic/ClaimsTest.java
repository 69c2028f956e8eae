package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClaimsTest {
  @TempDir private Path directory;

  @Test
  void aSocketIsOneHelpersUntilItEnds() throws IOException {
    Path socket = directory.resolve("socket");
    Claims first = Claims.of(socket, List.of("eth1"));
    assertThatThrownBy(() -> Claims.of(socket, List.of("eth2")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "%s has a traffic helper already, whose socket is %s: end that one first"
                .formatted(socket, socket));
    assertThat(Files.getPosixFilePermissions(directory.resolve("socket.lock")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));

    first.close();
    assertThatCode(() -> Claims.of(socket, List.of("eth1")).close()).doesNotThrowAnyException();
  }

  @Test
  void soIsADeviceWhateverTheSocket() throws IOException {
    Path socket = directory.resolve("a socket with a long name");
    try (Claims unused = Claims.of(socket, List.of("eth1", "eth2"))) {
      assertThatThrownBy(() -> Claims.of(directory.resolve("other"), List.of("eth3", "eth2")))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              "eth2 has a traffic helper already, whose socket is %s: ".formatted(socket));

      assertThatCode(() -> Claims.of(directory.resolve("other"), List.of("eth3")).close())
          .as("who was refused has nothing")
          .doesNotThrowAnyException();
    }
  }

  @Test
  void whatIsToldOfASocketIsTheOneThatIsThereNow() throws IOException {
    Path before = directory.resolve("a socket with a long name");
    Path socket = directory.resolve("s");
    Claims.of(before, List.of("eth1")).close();
    try (Claims unused = Claims.of(socket, List.of("eth1"))) {
      assertThatThrownBy(() -> Claims.of(before, List.of("eth1")))
          .hasMessageContaining("whose socket is %s: ".formatted(socket));
    }
  }
}
