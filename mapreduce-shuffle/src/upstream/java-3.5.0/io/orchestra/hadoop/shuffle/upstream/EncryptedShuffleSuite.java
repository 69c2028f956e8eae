package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.security.ssl.TestEncryptedShuffle;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestEncryptedShuffle}: our reducers fetch through TLS, from Hadoop's service. */
public class EncryptedShuffleSuite extends TestEncryptedShuffle {
  static {
    ReducerLogs.begin();
  }

  @AfterAll
  public static void reducersOfOursTookPart() throws IOException {
    ReducerLogs.verify();
  }
}
