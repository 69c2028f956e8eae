package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapred.TestReduceFetch;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestReduceFetch}: outputs in memory, on disk, and both. */
public class ReduceFetchSuite extends TestReduceFetch {
  static {
    ReducerLogs.begin();
  }

  @AfterAll
  public static void reducersOfOursTookPart() throws IOException {
    ReducerLogs.verify();
  }
}
