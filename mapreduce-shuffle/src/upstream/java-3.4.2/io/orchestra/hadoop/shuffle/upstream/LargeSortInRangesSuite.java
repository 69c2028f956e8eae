package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.LargeSorts;
import org.junit.AfterClass;
import org.junit.Before;

/** {@link LargeSortSuite} with our service, of which reducers get the large output in ranges. */
public class LargeSortInRangesSuite extends LargeSortSuite {
  @Override
  @Before
  public void setup() {
    LargeSorts.use(this, WeightedCluster.start(getClass().getSimpleName(), 2));
  }

  @AfterClass
  public static void outputsCameInRanges() throws IOException {
    ReducerLogs.verifyRanges();
  }
}
