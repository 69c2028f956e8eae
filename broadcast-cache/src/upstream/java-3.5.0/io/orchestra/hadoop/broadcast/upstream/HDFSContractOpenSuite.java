package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractOpen;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestHDFSContractOpen} with the block cache. */
public class HDFSContractOpenSuite extends TestHDFSContractOpen {

  @AfterAll
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
