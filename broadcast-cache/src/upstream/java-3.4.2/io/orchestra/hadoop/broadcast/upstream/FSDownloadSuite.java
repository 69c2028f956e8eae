package io.orchestra.hadoop.broadcast.upstream;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.util.TestFSDownload;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's {@link TestFSDownload}: what it downloads comes out of HDFS, through the cache. */
public class FSDownloadSuite extends TestFSDownload {
  static {
    Configuration.addDefaultResource("fs-download.xml");
  }

  @BeforeAll
  public static void startHdfs() throws IOException {
    OpenedInHdfs.start();
  }

  @AfterAll
  public static void stopHdfs() {
    OpenedInHdfs.stop();
  }

  @AfterAll
  public static void bytesCameFromTheCache() {
    CacheReads.verify();
  }
}
