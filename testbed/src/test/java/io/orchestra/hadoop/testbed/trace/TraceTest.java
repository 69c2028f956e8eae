package io.orchestra.hadoop.testbed.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.tools.rumen.JobStory;
import org.apache.hadoop.tools.rumen.Pre21JobHistoryConstants;
import org.apache.hadoop.tools.rumen.TaskInfo;
import org.apache.hadoop.tools.rumen.ZombieJobProducer;
import org.junit.jupiter.api.Test;

final class TraceTest {
  private static final CacheFile SHARED = new CacheFile("hdfs://m1/shared", 12, true, 5);
  private static final CacheFile UPLOADED =
      new CacheFile("hdfs://m1/user/alice/.staging/job_1_0001/files/a", 34, false, 6);

  @Test
  void rumenReadsWhatIsWritten() throws IOException {
    LoggedJob first = new LoggedJob("job_1_0001", "first", 7);
    first.map(100, 2, 30, 3).map(200, 4, 50, 5).reduce(80, 8, 9, 1);
    CacheFile.put(List.of(SHARED, UPLOADED), (ObjectNode) first.json().get("jobProperties"));
    LoggedJob second = new LoggedJob("job_1_0002", "second", 8).map(1, 1, 60, 6);
    List<JobStory> read = stories(new Trace(List.of(first.json(), second.json())));
    assertThat(read).extracting(JobStory::getName).containsExactly("first", "second");
    JobStory story = read.get(0);
    assertThat(story.getOutcome()).isEqualTo(Pre21JobHistoryConstants.Values.SUCCESS);
    assertThat(story.getSubmissionTime()).isEqualTo(7);
    assertThat(story.getUser()).isEqualTo("alice");
    assertThat(story.getNumberMaps()).isEqualTo(2);
    assertThat(story.getNumberReduces()).isEqualTo(1);
    assertThat(text(story.getTaskInfo(TaskType.MAP, 1))).isEqualTo("200 4 50 5");
    assertThat(text(story.getTaskInfo(TaskType.REDUCE, 0))).isEqualTo("80 8 9 1");
    // Maps of a job without reduces write to HDFS.
    assertThat(text(read.get(1).getTaskInfo(TaskType.MAP, 0))).isEqualTo("1 1 60 6");
    JobConf conf = story.getJobConf();
    assertThat(conf.getStrings("mapreduce.job.cache.files"))
        .containsExactly(SHARED.path(), UPLOADED.path());
    assertThat(conf.getStrings("mapreduce.job.cache.files.visibilities"))
        .containsExactly("true", "false");
  }

  @Test
  void rumenReadsWhatMapsAreSaidToHaveComputed() throws IOException {
    Trace trace =
        new Trace(
            List.of(
                new LoggedJob("job_1_0001", "a", 7).map(100, 2, 30, 3).reduce(8, 8, 9, 1).json()));

    assertThat(processorMillis(trace, TaskType.MAP)).as("nothing is known").isZero();
    assertThat(processorMillis(trace.computing(50), TaskType.MAP)).isEqualTo(2000);
    assertThat(processorMillis(trace.computing(50).computing(100), TaskType.MAP)).isEqualTo(1000);
    assertThat(processorMillis(trace.computing(50), TaskType.REDUCE)).isZero();
  }

  private static long processorMillis(Trace trace, TaskType type) throws IOException {
    return stories(trace)
        .get(0)
        .getTaskInfo(type, 0)
        .getResourceUsageMetrics()
        .getCumulativeCpuUsage();
  }

  private static List<JobStory> stories(Trace trace) throws IOException {
    List<JobStory> stories = new ArrayList<>();
    try (ZombieJobProducer producer =
        new ZombieJobProducer(
            new ByteArrayInputStream(trace.text().getBytes(StandardCharsets.UTF_8)), null)) {
      for (JobStory story = producer.getNextJob(); story != null; story = producer.getNextJob()) {
        stories.add(story);
      }
    }
    return stories;
  }

  private static String text(TaskInfo task) {
    return "%d %d %d %d"
        .formatted(
            task.getInputBytes(),
            task.getInputRecords(),
            task.getOutputBytes(),
            task.getOutputRecords());
  }

  @Test
  void cleaningKeepsWhatGridmixLooksAt() {
    Trace trace =
        Trace.parse(
                """
            {"jobID":"job_1_0002","submitTime":20,"totalMaps":1,"totalReduces":0}
            {"jobID":"job_1_0001","submitTime":10,"totalMaps":1,"totalReduces":0,
             "jobProperties":{"mapreduce.job.cache.files":"a,b","secret":"x",
               "mapreduce.job.cache.files.filesizes":"1,2",
               "mapreduce.job.cache.files.visibilities":"true,false",
               "mapreduce.job.cache.files.timestamps":"3,4"},
             "otherTasks":[{"taskID":"x"}],
             "mapTasks":[{"attempts":[{"result":"SUCCESS","hdfsBytesRead":16777345,
               "hdfsBytesWritten":5,"clockSplits":[1,2]}]}]}
            """)
            .cleaned();
    assertThat(trace.views()).extracting(TraceJob::submitMillis).containsExactly(10L, 20L);
    TraceJob job = trace.views().get(0);
    assertThat(job.inputBytes()).isEqualTo(16 << 20);
    assertThat(job.outputBytes()).isEqualTo(5);
    assertThat(job.files())
        .containsExactly(new CacheFile("a", 1, true, 3), new CacheFile("b", 2, false, 4));
    assertThat(trace.text()).doesNotContain("secret", "clockSplits", "taskID").hasLineCount(2);
  }

  @Test
  void aThirdHasTheMixOfSizesInAThirdOfTheTime() {
    Trace third =
        new Trace(
                List.of(
                    job("a", 100, 1),
                    job("b", 130, 6),
                    job("c", 160, 2),
                    job("d", 190, 3),
                    job("e", 220, 5),
                    job("f", 250, 4)))
            .third();

    assertThat(third.views())
        .extracting(TraceJob::name, TraceJob::submitMillis, TraceJob::maps)
        .containsExactly(tuple("b", 110L, 6), tuple("d", 130L, 3));
  }

  private static ObjectNode job(String name, long submitMillis, int maps) {
    LoggedJob job = new LoggedJob("job_1_0001", name, submitMillis);
    for (int map = 0; map < maps; map++) {
      job.map(100, 2, 30, 3);
    }
    return job.json();
  }

  @Test
  void generationNeedsOneJobWithAllSharedFilesOnce() throws IOException {
    LoggedJob first = new LoggedJob("job_1_0001", "first", 7).map(100, 2, 30, 3);
    CacheFile.put(List.of(SHARED, UPLOADED), (ObjectNode) first.json().get("jobProperties"));
    Trace generation = new Trace(List.of(first.json(), first.json())).forGeneration();
    assertThat(generation.views())
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.files()).containsExactly(SHARED);
              assertThat(job.maps()).isEqualTo(1);
            });
    assertThat(stories(generation)).hasSize(1);
  }

  @Test
  void whatIsNoTraceIsRefused() {
    assertThatThrownBy(() -> Trace.parse("")).hasMessage("the trace has no job");
    assertThatThrownBy(() -> Trace.parse("job 1"))
        .hasMessageStartingWith("the trace is not what Rumen writes");
  }
}
