package io.orchestra.hadoop.integration.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.hash.Hashing;
import io.orchestra.hadoop.integration.broadcast.JobResource.Visibility;
import io.orchestra.hadoop.testbed.host.Account;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two stock jobs, localized by stock NodeManagers: what came how, whether localizers are threads of
 * the NodeManager or processes of the job's user. All tests look at the same two runs.
 */
@Tag("long")
final class YarnLocalizationIT {
  /** What is shorter than the setting in {@link LocalizationCluster} says is read from HDFS. */
  private static final int SMALLEST_SWARM = 1 << 20;

  /** Where alice has as many clients at the block cache as she may, which is told by their uid. */
  private static final String CROWDED = "r1h2";

  private static final Path GIVEN = Path.of("/tmp/given");
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static LocalizationCluster cluster;
  private static String sleep;
  private static String words;
  private static List<JobResource> resources;

  @BeforeAll
  static void runJobs() throws IOException {
    cluster = LocalizationCluster.up();
    JobFiles files = JobFiles.make(cluster.submitting(GIVEN));
    cluster.put(GIVEN.resolve("lookup.zip"), "/shared/lookup.zip", Account.HDFS);
    for (String word : List.of("one", "two", "three")) {
      cluster.put(GIVEN.resolve(word), "/user/alice/in/" + word, Account.ALICE);
    }
    cluster.crowd(CROWDED);
    sleep =
        cluster.run(
            List.of(
                "org.apache.hadoop.mapreduce.SleepJob",
                "-files",
                GIVEN + "/model.bin," + GIVEN + "/note.txt",
                "-archives",
                GIVEN + "/data.tgz,hdfs://m1:8020/shared/lookup.zip",
                "-m",
                "3",
                "-mt",
                "1000",
                "-r",
                "0"));
    words =
        cluster.run(
            List.of(
                "jar",
                "examples",
                "wordcount",
                "-libjars",
                GIVEN + "/large.jar," + GIVEN + "/small.jar",
                "/user/alice/in",
                "/user/alice/out"));
    resources =
        List.of(
            cluster.shared("/shared/lookup.zip", files.file("lookup")),
            cluster.uploaded(sleep, "files/model.bin", "model.bin", files.file("model.bin")),
            cluster.uploaded(sleep, "files/note.txt", "note.txt", files.file("note.txt")),
            cluster.uploaded(sleep, "archives/data.tgz", "data.tgz", files.file("data")),
            cluster.made(sleep, "job.jar", "job.jar/job.jar"),
            cluster.made(sleep, "job.xml", "job.xml"),
            // YARN localizes these as a directory.
            cluster.uploaded(
                words, "libjars/large.jar", "libjars/large.jar", files.file("large.jar")),
            cluster.uploaded(
                words, "libjars/small.jar", "libjars/small.jar", files.file("small.jar")),
            cluster.made(words, "job.jar", "job.jar/job.jar"),
            cluster.made(words, "job.xml", "job.xml"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void everyNodeManagerHasTheBytesThatWereUploaded() {
    for (String worker : cluster.workers()) {
      for (JobResource resource : resources) {
        assertThat(LocalizationCluster.content(cluster.localized(worker, resource)))
            .as("%s on %s", resource.path(), worker)
            .isEqualTo(resource.content());
      }
    }
    assertThat(cluster.sum("/user/alice/out/part-r-00000"))
        .isEqualTo(
            Hashing.sha256()
                .hashString("all\t3\none\t1\nthree\t1\ntwo\t1\n", StandardCharsets.UTF_8)
                .toString());
  }

  @Test
  void largeFilesOfEveryKindComeAsSwarmsToAllThatHaveNoReplica() {
    Map<String, Set<String>> receivers = new TreeMap<>();
    large().forEach(resource -> receivers.put(resource.path(), receivers(resource)));
    assertThat(large().stream().map(JobResource::visibility)).contains(Visibility.values());
    await()
        .atMost(LONGEST)
        .untilAsserted(() -> assertThat(cluster.receivers()).isEqualTo(receivers));
    assertThat(cluster.report().findValues("fromPeers").stream().mapToLong(JsonNode::asLong).sum())
        .as("bytes that receivers had from one another")
        .isPositive();
  }

  @Test
  void theirBytesAreReadFromTheBlockCacheAndNobodyGoesBackToHdfs() {
    long wanted =
        large().stream()
            .mapToLong(resource -> receivers(resource).size() * resource.length())
            .sum();
    await()
        .atMost(LONGEST)
        .untilAsserted(
            () -> {
              assertThat(sum("OrchestraBlockCache", "BytesServed")).isEqualTo(wanted);
              assertThat(sum("OrchestraSwarmPeer", "BytesReceived")).isEqualTo(wanted);
            });
    assertThat(sum("OrchestraBlockCache", "Failures")).isZero();
    assertThat(sum("OrchestraSwarmPeer", "SwarmsFailed")).isZero();
    assertThat(sum("OrchestraSwarmPeer", "PiecesCorrupt")).isZero();
    assertThat(cluster.report().required("declines")).isEmpty();
  }

  @Test
  void whatIsLeftToHdfsIsSmallOrHereAlready() {
    for (String worker : cluster.workers()) {
      Set<String> reasons = declines(worker);
      reasons.remove("DeclinedTooManyClients");
      assertThat(reasons)
          .as(worker)
          .isSubsetOf("DeclinedASmallFile", "DeclinedAReplicaIsOnThisHost");
    }
    for (String worker : uncrowded()) {
      assertThat(declines(worker)).as(worker).contains("DeclinedASmallFile");
    }
  }

  @Test
  void localizersThatAreProcessesHaveTheUidOfTheJobsUser() throws IOException {
    for (String worker : cluster.workers()) {
      boolean processes = LocalizationCluster.PROCESSES.contains(worker);
      for (JobResource resource : resources) {
        boolean own = processes && resource.visibility() != Visibility.PUBLIC;
        assertThat(Files.getAttribute(cluster.localized(worker, resource), "unix:uid"))
            .as("%s on %s", resource.path(), worker)
            .isEqualTo((own ? Account.ALICE : Account.YARN).number());
      }
      assertThat(localizerLogs(worker)).isEqualTo(processes ? Set.of(sleep, words) : Set.of());
    }
  }

  @Test
  void aUserWithTooManyClientsReadsFromHdfsWhileTheNodeManagerDoesNot() {
    assertThat(declines(CROWDED)).contains("DeclinedTooManyClients");
    for (String worker : uncrowded()) {
      assertThat(declines(worker)).as(worker).doesNotContain("DeclinedTooManyClients");
    }
  }

  private static List<JobResource> large() {
    return resources.stream().filter(resource -> resource.length() >= SMALLEST_SWARM).toList();
  }

  /** Workers that are to have a file as a swarm. */
  private static Set<String> receivers(JobResource resource) {
    Set<String> receivers = new HashSet<>(cluster.workers());
    receivers.removeAll(cluster.holders(resource));
    if (resource.visibility() != Visibility.PUBLIC) {
      receivers.remove(CROWDED);
    }
    return receivers;
  }

  private static List<String> uncrowded() {
    return cluster.workers().stream().filter(worker -> !worker.equals(CROWDED)).toList();
  }

  /** Of all workers; fails if one has no such figure. */
  private static long sum(String source, String figure) {
    long sum = 0;
    for (String worker : cluster.workers()) {
      Map<String, Long> figures = cluster.figures(worker, source);
      assertThat(figures).as("%s on %s", source, worker).containsKey(figure);
      sum += figures.get(figure);
    }
    return sum;
  }

  private static Set<String> declines(String worker) {
    Set<String> reasons = new TreeSet<>(cluster.figures(worker, "OrchestraBlockCache").keySet());
    reasons.removeIf(figure -> !figure.startsWith("Declined"));
    return reasons;
  }

  /** Jobs of which a worker has a log of a localizer's own. */
  private static Set<String> localizerLogs(String worker) throws IOException {
    Path logs = cluster.hosts().directory().logs(worker).resolve("containers");
    Set<String> jobs = new HashSet<>();
    try (Stream<Path> files =
        Files.find(logs, 3, (path, attributes) -> attributes.isRegularFile())) {
      files
          .filter(file -> file.endsWith("container-localizer-syslog"))
          .map(file -> logs.relativize(file).getName(0).toString())
          .map(application -> application.substring("application_".length()))
          .forEach(jobs::add);
    }
    return jobs;
  }
}
