package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;

/** Makes the archive of a release's classes, by running a job on a small cluster of it once. */
final class ClassRecording {
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
   * Returns once there is an archive of the release that a spec asks for, if the testbed made it.
   */
  void require(ClusterSpec spec) {
    if (spec.unpackedHadoop().isPresent()) {
      return;
    }
    HadoopHome hadoop = new HadoopHomes(home, progress).of(spec);
    SharedClasses classes = new SharedClasses(hadoop);
    if (classes.available()) {
      return;
    }
    try (ClusterLock ignored =
        ClusterLock.await(home.classesLock(), "recording Hadoop's classes", LONGEST_SECONDS)) {
      if (!classes.available()) {
        progress.say("recording which classes Hadoop loads, with a small cluster (only once)");
        classes.beginRecording();
        runAJob(hadoop);
        progress.say("archiving these classes");
        classes.endRecording();
      }
    }
  }

  private void runAJob(HadoopHome hadoop) {
    ClusterSpec spec =
        ClusterSpec.of("classes", 1, 1, Rate.UNLIMITED, Rate.UNLIMITED)
            .withHadoop(hadoop.version());
    try (RunningCluster running = RunningCluster.withoutArchive(home, project, spec, progress)) {
      HadoopClient alice = HadoopClient.onFirstMaster(running.cluster(), Account.ALICE);
      String input = running.cluster().directory().configuration() + "/core-site.xml";
      alice.hadoop(List.of("hdfs", "dfs", "-put", input, "words")).output();
      alice.hadoop(List.of("jar", "examples", "wordcount", "words", "counts")).output();
      running.succeeded();
    }
  }
}
