package org.apache.hadoop.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FSDataInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecureIOUtilsTest {
  private static final String OWN_USER = System.getProperty("user.name");

  @TempDir private Path directory;

  @Test
  void filesOfThisProcessAreOpenedWhoeverIsExpected() throws IOException {
    File file = Files.writeString(directory.resolve("file"), "abc").toFile();
    for (String expected : new String[] {null, OWN_USER, "alice"}) {
      try (RandomAccessFile random = SecureIOUtils.openForRandomRead(file, "r", expected, null);
          FileInputStream in = SecureIOUtils.openForRead(file, expected, null);
          FSDataInputStream data = SecureIOUtils.openFSDataInputStream(file, expected, null)) {
        assertThat(random.read()).isEqualTo('a');
        assertThat(in.readAllBytes()).asString().isEqualTo("abc");
        assertThat(data.readAllBytes()).asString().isEqualTo("abc");
      }
    }
  }

  @Test
  void filesOfOthersAreOpenedOnlyIfTheyAreExpected() throws IOException {
    File others = OWN_USER.equals("root") ? givenAway() : new File("/etc/passwd");
    String owner = Files.getOwner(others.toPath()).getName();
    SecureIOUtils.openForRead(others, owner, null).close();
    SecureIOUtils.openForRead(others, null, null).close();
    assertThatThrownBy(() -> SecureIOUtils.openForRead(others, "alice", null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("did not match expected owner 'alice'");
  }

  /** Only root can do that. */
  private File givenAway() throws IOException {
    Path file = Files.createFile(directory.resolve("foreign"));
    Files.setAttribute(file, "unix:uid", 70_999);
    return file.toFile();
  }

  @Test
  void filesAreCreatedOnceAndWithTheirPermissions() throws IOException {
    File file = directory.resolve("new").toFile();
    try (FileOutputStream out = SecureIOUtils.createForWrite(file, 0640)) {
      out.write('a');
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())))
        .isEqualTo("rw-r-----");
    assertThatThrownBy(() -> SecureIOUtils.createForWrite(file, 0640))
        .isInstanceOf(SecureIOUtils.AlreadyExistsException.class);
  }
}
