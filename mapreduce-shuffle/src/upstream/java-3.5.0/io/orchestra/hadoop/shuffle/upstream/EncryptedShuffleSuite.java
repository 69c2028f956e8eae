package io.orchestra.hadoop.shuffle.upstream;

import java.io.IOException;
import org.apache.hadoop.mapreduce.security.ssl.TestEncryptedShuffle;
import org.junit.jupiter.api.AfterAll;

/** Hadoop's {@link TestEncryptedShuffle}: map outputs and their sizes come through TLS. */
public class EncryptedShuffleSuite extends TestEncryptedShuffle {
  static {
    ReducerLogs.begin();
  }

  @AfterAll
  public static void reducersWeighedTheirSenders() throws IOException {
    ReducerLogs.verify();
  }
}
