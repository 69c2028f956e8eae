package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractSeek;
import org.junit.AfterClass;

/** Hadoop's {@link TestHDFSContractSeek} with the block cache. */
public class HDFSContractSeekSuite extends TestHDFSContractSeek {

  @AfterClass
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
