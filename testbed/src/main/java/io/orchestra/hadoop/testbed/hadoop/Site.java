package io.orchestra.hadoop.testbed.hadoop;

import io.orchestra.hadoop.testbed.TestbedException;
import java.util.Arrays;
import java.util.Locale;

/** The files that a Hadoop cluster is configured by. */
public enum Site {
  CORE,
  HDFS,
  YARN,
  MAPRED;

  public String siteName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String fileName() {
    return siteName() + "-site.xml";
  }

  static Site named(String name) {
    return Arrays.stream(values())
        .filter(site -> site.siteName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TestbedException(
                    "'" + name + "' is not a site: use core, hdfs, yarn or mapred"));
  }
}
