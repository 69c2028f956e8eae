package org.apache.hadoop.io;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Stands in for Hadoop's class of this name, which does not load where Kerberos is on and native
 * code is not: Maven Central has none. Only NodeManagers of testbeds see it.
 *
 * <p>Unlike Hadoop's it looks up a file's owner by path, and takes the user of its own process for
 * everybody: containers of the DefaultContainerExecutor are that user.
 */
public final class SecureIOUtils {
  private SecureIOUtils() {}

  /** Thrown when a file to be created is there. */
  public static final class AlreadyExistsException extends IOException {
    private static final long serialVersionUID = 1L;

    public AlreadyExistsException(Throwable cause) {
      super(cause);
    }
  }

  public static RandomAccessFile openForRandomRead(
      File file, String mode, String expectedOwner, String expectedGroup) throws IOException {
    requireOwner(file, expectedOwner);
    return new RandomAccessFile(file, mode);
  }

  public static FSDataInputStream openFSDataInputStream(
      File file, String expectedOwner, String expectedGroup) throws IOException {
    requireOwner(file, expectedOwner);
    return FileSystem.getLocal(new Configuration()).getRaw().open(new Path(file.getAbsolutePath()));
  }

  public static FileInputStream openForRead(File file, String expectedOwner, String expectedGroup)
      throws IOException {
    requireOwner(file, expectedOwner);
    return new FileInputStream(file);
  }

  public static FileOutputStream createForWrite(File file, int permissions) throws IOException {
    try {
      Files.createFile(file.toPath(), attribute(permissions));
    } catch (FileAlreadyExistsException e) {
      throw new AlreadyExistsException(e);
    }
    return new FileOutputStream(file);
  }

  private static FileAttribute<Set<PosixFilePermission>> attribute(int permissions) {
    PosixFilePermission[] byBit = PosixFilePermission.values();
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission permission : byBit) {
      if ((permissions & (1 << (byBit.length - 1 - permission.ordinal()))) != 0) {
        set.add(permission);
      }
    }
    return PosixFilePermissions.asFileAttribute(set);
  }

  private static void requireOwner(File file, String expected) throws IOException {
    String owner = Files.getOwner(file.toPath()).getName();
    if (expected != null
        && !expected.equals(owner)
        && !owner.equals(System.getProperty("user.name"))) {
      throw new IOException(
          "Owner '%s' for path %s did not match expected owner '%s'"
              .formatted(owner, file, expected));
    }
  }
}
