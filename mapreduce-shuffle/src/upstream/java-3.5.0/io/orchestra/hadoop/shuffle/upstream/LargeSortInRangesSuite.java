package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.LargeSorts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/** {@link LargeSortSuite} with our service, of which reducers get the large output in ranges. */
public class LargeSortInRangesSuite extends LargeSortSuite {
  @Override
  @BeforeEach
  public void setup() {
    LargeSorts.use(this, WeightedCluster.start(getClass().getSimpleName(), 2));
  }

  @AfterAll
  public static void outputsCameInRanges() throws IOException {
    ReducerLogs.verifyRanges();
  }
}
