package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractOpen;
import org.junit.AfterClass;

/** Hadoop's {@link TestHDFSContractOpen} with the block cache. */
public class HDFSContractOpenSuite extends TestHDFSContractOpen {

  @AfterClass
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
