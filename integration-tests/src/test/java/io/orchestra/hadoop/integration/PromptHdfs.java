package io.orchestra.hadoop.integration;

import org.apache.hadoop.conf.Configuration;

/** An HDFS so small that nobody needs to be spared questions. */
public final class PromptHdfs {
  private PromptHdfs() {}

  public static void configure(Configuration conf) {
    // With it a NameNode that has started again hears of its DataNodes.
    conf.setInt("dfs.heartbeat.interval", 1);
    // Until a writer asks again whether a block has arrived: each time twice as long, and in all
    // for as long as by default, which is 12 s.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 25);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 9);
  }
}
