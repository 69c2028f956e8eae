package io.orchestra.hadoop.shuffle.upstream;

import org.apache.hadoop.mapreduce.TestMRIntermediateDataEncryption;

/**
 * Hadoop's {@link TestMRIntermediateDataEncryption} with our shuffle named. Its jobs run in one
 * process, so that all ours has to do is to leave them to Hadoop's.
 */
public class IntermediateDataEncryptionSuite extends TestMRIntermediateDataEncryption {
  public IntermediateDataEncryptionSuite(String name, int reducers, int spills, boolean uber) {
    super(name, reducers, spills, uber);
  }
}
