package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractVectoredRead;
import org.junit.AfterClass;

/** Hadoop's {@link TestHDFSContractVectoredRead} with the block cache. */
public class HDFSContractVectoredReadSuite extends TestHDFSContractVectoredRead {

  public HDFSContractVectoredReadSuite(String bufferType) {
    super(bufferType);
  }

  @AfterClass
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
