package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.TestLargeSort;
import org.junit.AfterClass;

/**
 * Hadoop's {@link TestLargeSort}: one map with up to 1.5 GB for one reducer, from Hadoop's service.
 */
public class LargeSortSuite extends TestLargeSort {
  static {
    ReducerLogs.begin();
  }

  @AfterClass
  public static void reducersOfOursTookPart() throws IOException {
    ReducerLogs.verify();
  }
}
