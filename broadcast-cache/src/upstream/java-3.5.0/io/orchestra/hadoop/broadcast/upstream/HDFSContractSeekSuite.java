package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractSeek;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestHDFSContractSeek} with the block cache. */
public class HDFSContractSeekSuite extends TestHDFSContractSeek {

  @AfterAll
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
