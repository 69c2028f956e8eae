package io.orchestra.hadoop.integration.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Unmodified jobs write the same bytes with network-aware placement as without. */
@Tag("long")
@Tag("operations")
final class JobOutputIT {
  private static final int REDUCERS = 2;
  private static final String SHORT_LIVED_JVM =
      "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED";

  @Test
  void wordCountAndTeraSortWriteTheSameBytesAsOnStock() throws Exception {
    Configuration stock = new Configuration();
    stock.setLong("dfs.blocksize", PlacementCluster.BLOCK);
    Map<String, String> expected;
    try (PlacementCluster cluster = PlacementCluster.start(stock)) {
      expected = runJobs(cluster);
    }
    Map<String, String> actual;
    try (PlacementCluster cluster = PlacementCluster.start(PlacementCluster.configuration())) {
      cluster.awaitReporting(6);
      actual = runJobs(cluster);
      assertThat(cluster.picks("network")).isGreaterThan(10);
      assertThat(cluster.picks("failure")).isZero();
    }

    assertThat(expected).hasSizeGreaterThanOrEqualTo(REDUCERS + 3);
    assertThat(actual).isEqualTo(expected);
  }

  private static Map<String, String> runJobs(PlacementCluster cluster) throws Exception {
    FileSystem files = cluster.files();
    try (MiniMRYarnCluster yarn = new MiniMRYarnCluster("jobs", 1)) {
      Configuration conf = new Configuration(cluster.daemons().getConfiguration(0));
      // An application master that lingers must not keep the next one waiting.
      conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
      // Or a stopping NodeManager waits for logs to be old enough to be deleted.
      conf.setInt("yarn.nodemanager.log.retain-seconds", 0);
      yarn.init(conf);
      yarn.start();
      Configuration client = new Configuration(yarn.getConfig());
      client.setInt("mapreduce.job.reduces", REDUCERS);
      // A client looks for a job's end every five seconds otherwise.
      client.setInt("mapreduce.client.completion.pollinterval", 200);
      client.set("mapred.child.java.opts", SHORT_LIVED_JVM);
      client.set("yarn.app.mapreduce.am.command-opts", SHORT_LIVED_JVM);
      client.setInt("mapreduce.job.maps", 2);

      writeText(files, new Path("/text"));
      Job wordCount = Job.getInstance(client);
      wordCount.setJarByClass(WordCount.class);
      wordCount.setMapperClass(WordCount.TokenizerMapper.class);
      wordCount.setCombinerClass(WordCount.IntSumReducer.class);
      wordCount.setReducerClass(WordCount.IntSumReducer.class);
      wordCount.setOutputKeyClass(Text.class);
      wordCount.setOutputValueClass(IntWritable.class);
      FileInputFormat.addInputPath(wordCount, new Path("/text"));
      FileOutputFormat.setOutputPath(wordCount, new Path("/counts"));
      assertThat(wordCount.waitForCompletion(false)).isTrue();

      // One process a job from here on: a task's JVM costs seconds, and the HDFS writes are the
      // same.
      client.setBoolean("mapreduce.job.ubertask.enable", true);
      client.setLong("mapreduce.job.ubertask.maxbytes", Long.MAX_VALUE);
      client.setInt("mapreduce.job.reduces", 1);
      run(client, new TeraGen(), "30000", "/rows");
      run(client, new TeraSort(), "/rows", "/sorted");
      run(client, new TeraValidate(), "/sorted", "/validated");

      Map<String, String> hashes = new TreeMap<>();
      for (String directory : new String[] {"/counts", "/rows", "/sorted", "/validated"}) {
        for (FileStatus file : files.listStatus(new Path(directory))) {
          hashes.put(
              file.getPath().toUri().getPath(),
              Hashing.sha256()
                  .hashBytes(cluster.read(file.getPath().toUri().getPath()))
                  .toString());
        }
      }
      return hashes;
    }
  }

  private static void run(Configuration conf, Tool tool, String... arguments) throws Exception {
    assertThat(ToolRunner.run(new Configuration(conf), tool, arguments)).isZero();
  }

  private static void writeText(FileSystem files, Path path) throws IOException {
    Random random = new Random(7);
    try (FSDataOutputStream out = files.create(path)) {
      for (int line = 0; line < 100_000; line++) {
        String text = "w" + random.nextInt(5000) + " w" + random.nextInt(50) + " the\n";
        out.write(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
  }
}
