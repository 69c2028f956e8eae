package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.v2.TestMRJobs;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestMRJobs}: jobs of all kinds, some of which fail. */
public class MRJobsSuite extends TestMRJobs {
  static {
    ReducerLogs.begin();
  }

  @AfterAll
  public static void reducersOfOursTookPart() throws IOException {
    ReducerLogs.verify();
  }
}
