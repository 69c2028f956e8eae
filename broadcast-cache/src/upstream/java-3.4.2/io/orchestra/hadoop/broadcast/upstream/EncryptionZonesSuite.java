package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.hdfs.TestEncryptionZones;
import org.junit.AfterClass;

/** Hadoop's {@link TestEncryptionZones} with the block cache, which keeps what is encrypted. */
public class EncryptionZonesSuite extends TestEncryptionZones {

  @AfterClass
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
