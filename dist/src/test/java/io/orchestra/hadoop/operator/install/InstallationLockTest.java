package io.orchestra.hadoop.operator.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.operator.StandInHome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InstallationLockTest {
  @TempDir private Path directory;

  private Installation installation;
  private Path file;

  @BeforeEach
  void unpack() {
    StandInHome home = new StandInHome(directory.resolve("hadoop"), "3.5.0");
    installation = new Installation(HadoopHome.open(home.root()));
    file = installation.base().resolve(".lock");
  }

  /** As where one command uninstalls while two others wait. */
  @Test
  void aFileThatWasRemovedWhileACommandHadItOpenLocksNobodyOut() throws IOException {
    InstallationLock uninstalls = take();
    try (FileChannel waits = open()) {
      uninstalls.removeFile();
      uninstalls.close();

      assertThat(InstallationLock.lock(waits, file)).isEmpty();
    }
  }

  @Test
  void itIsNotTheSameFileIfAnotherCommandHasMadeItAnew() throws IOException {
    InstallationLock uninstalls = take();
    try (FileChannel waits = open()) {
      uninstalls.removeFile();
      uninstalls.close();

      try (InstallationLock installs = take()) {
        assertThat(InstallationLock.lock(waits, file)).isEmpty();
      }
    }
    assertThat(file).isEmptyFile();
  }

  @Test
  void aFileThatAnotherCommandHasGivenFreeIsLocked() throws IOException {
    InstallationLock installs = take();
    try (FileChannel waits = open()) {
      assertThat(InstallationLock.lock(waits, file)).isEmpty();
      installs.close();

      assertThat(InstallationLock.lock(waits, file)).isPresent();
    }
  }

  private InstallationLock take() throws IOException {
    return InstallationLock.take(installation, Duration.ZERO);
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.WRITE);
  }
}
