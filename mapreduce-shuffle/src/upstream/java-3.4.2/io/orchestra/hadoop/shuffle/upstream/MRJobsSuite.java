package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.v2.TestMRJobs;
import org.junit.AfterClass;

/** Hadoop's {@link TestMRJobs}: jobs of all kinds, some of which fail. */
public class MRJobsSuite extends TestMRJobs {
  static {
    ReducerLogs.begin();
  }

  @AfterClass
  public static void reducersOfOursTookPart() throws IOException {
    ReducerLogs.verify();
  }
}
