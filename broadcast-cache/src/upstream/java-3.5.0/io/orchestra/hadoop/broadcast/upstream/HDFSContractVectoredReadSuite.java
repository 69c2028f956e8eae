package io.orchestra.hadoop.broadcast.upstream;

import org.apache.hadoop.fs.contract.hdfs.TestHDFSContractVectoredRead;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's {@link TestHDFSContractVectoredRead} with the block cache. */
@ParameterizedClass
@MethodSource("params")
public class HDFSContractVectoredReadSuite extends TestHDFSContractVectoredRead {

  public HDFSContractVectoredReadSuite(String bufferType) {
    super(bufferType);
  }

  @AfterAll
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
