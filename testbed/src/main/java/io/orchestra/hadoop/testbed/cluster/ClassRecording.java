package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;

/** Makes the archive of a release's classes, by running a job on a small cluster of it once. */
final class ClassRecording {
  private static final String NAME = "classes";
  private static final int LONGEST_SECONDS = 3600;

  private final TestbedHome home;
  private final Project project;
  private final Progress progress;

  ClassRecording(TestbedHome home, Project project, Progress progress) {
    this.home = home;
    this.project = project;
    this.progress = progress;
  }

  /**
   * Returns once a cluster that is about to start can use an archive of its release. Where none can
   * be made, says why; the cluster starts without.
   */
  void before(ClusterSpec spec, HadoopHome hadoop) {
    if (spec.name().equals(NAME)) {
      throw new TestbedException(
          "'" + NAME + "' is the testbed's own cluster: give yours another --name");
    }
    SharedClasses classes = new SharedClasses(hadoop);
    if (spec.unpackedHadoop().isPresent() || classes.usable()) {
      return;
    }
    try (ClusterLock ignored =
        ClusterLock.await(home.classesLock(), "recording Hadoop's classes", LONGEST_SECONDS)) {
      if (!classes.usable()) {
        record(classes);
      }
    } catch (TestbedException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      progress.say(
          "every process will load its classes anew, which takes longer: " + e.getMessage());
    }
  }

  private void record(SharedClasses classes) {
    progress.say("recording which classes Hadoop loads, with a small cluster (only once)");
    classes.beginRecording();
    try {
      runAJob(classes.hadoop());
      progress.say("archiving these classes");
      classes.archiveRecorded();
    } finally {
      classes.endRecording();
    }
  }

  private void runAJob(HadoopHome hadoop) {
    // One that was killed in the middle may have left its cluster.
    boolean unusedWasThere = new ClusterTeardown(home).down(NAME);
    ClusterSpec spec =
        ClusterSpec.of(NAME, 1, 1, Rate.UNLIMITED, Rate.UNLIMITED).withHadoop(hadoop.version());
    try (RunningCluster running = RunningCluster.withoutArchive(home, project, spec, progress)) {
      HadoopClient alice = HadoopClient.onFirstMaster(running.cluster(), Account.ALICE);
      String input = running.cluster().directory().configuration() + "/core-site.xml";
      alice.hadoop(List.of("hdfs", "dfs", "-put", input, "words")).output();
      alice.hadoop(List.of("jar", "examples", "wordcount", "words", "counts")).output();
      running.succeeded();
    }
  }
}
