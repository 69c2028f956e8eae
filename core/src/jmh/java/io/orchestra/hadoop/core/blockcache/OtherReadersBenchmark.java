package io.orchestra.hadoop.core.blockcache;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
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

/** What a reader that is no localizer pays at each block for being asked. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OtherReadersBenchmark {
  @Param({"", "/apps/models/*,/lookup/**"})
  private String paths;

  private Configuration conf;
  private final byte[] token = new byte[100];

  @Setup
  public void configure() {
    conf = new Configuration();
    conf.set("orchestra.block-cache.paths", paths);
  }

  @Benchmark
  public ReplicaAccessor build() {
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
