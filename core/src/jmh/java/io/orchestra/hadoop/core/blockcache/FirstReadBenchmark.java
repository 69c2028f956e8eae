package io.orchestra.hadoop.core.blockcache;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a new JVM pays for being asked at its first block, where nobody serves a cache: tasks live
 * for seconds, and most of it is classes that are loaded.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(20)
public class FirstReadBenchmark {
  /** Whether it is a map that reads its input, or another client of HDFS. */
  @Param({"true", "false"})
  private boolean map;

  private HdfsConfiguration conf;
  private final byte[] token = new byte[100];

  @Setup
  public void configure() {
    conf = new HdfsConfiguration();
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    conf.setBoolean("mapreduce.task.ismap", map);
    conf.setBoolean("orchestra.block-cache.map-input", true);
    conf.set("orchestra.block-cache.socket", "/nowhere/block-cache.sock");
    // What a client of HDFS has loaded before.
    DfsClientConf unused = new DfsClientConf(conf);
  }

  @Benchmark
  public ReplicaAccessor first() {
    return new LocalReplicaAccessorBuilder()
        .setFileName("/user/alice/input/part-00017")
        .setBlock(1073741825L, "BP-1-127.0.0.1-1")
        .setGenerationStamp(1001)
        .setBlockAccessToken(token)
        .setClientName("client")
        .setConfiguration(conf)
        .setVerifyChecksum(true)
        .setVisibleLength(134217728)
        .setAllowShortCircuitReads(true)
        .build();
  }
}
