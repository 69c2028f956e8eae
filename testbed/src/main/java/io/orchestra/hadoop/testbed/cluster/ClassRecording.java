package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.SharedClasses;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.List;
import java.util.SortedSet;

/** Makes the archive of a release's classes, by running a job on a small cluster of it once. */
final class ClassRecording {
  /** The cluster that does it, which nobody else may have. */
  static final String CLUSTER = "classes";

  private static final int LONGEST_SECONDS = 3600;

  private final TestbedHome home;
  private final Project project;
  private final Progress progress;

  ClassRecording(TestbedHome home, Project project, Progress progress) {
    this.home = home;
    this.project = project;
    this.progress = progress;
  }

  static void refuseItsName(String name) {
    if (name.equals(CLUSTER)) {
      throw new TestbedException(
          "'" + CLUSTER + "' is the name of the testbed's own cluster: give yours another --name");
    }
  }

  /**
   * Says where a cluster that is about to start is to have its classes from, once that is there.
   * Where no archive of its release can be made, says why; the cluster starts without.
   */
  ProgramClasses.Source before(ClusterSpec spec, HadoopHome hadoop) {
    if (spec.unpackedHadoop().isPresent()) {
      return ProgramClasses.Source.JARS;
    }
    SharedClasses classes = SharedClasses.of(hadoop);
    try {
      if (!classes.usable()) {
        makeOnce(classes);
      }
      return ProgramClasses.Source.ARCHIVE;
    } catch (TestbedException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      progress.say("all processes will load their classes anew and take longer: " + e.getMessage());
      return ProgramClasses.Source.JARS;
    }
  }

  private void makeOnce(SharedClasses classes) {
    String what = "recording Hadoop's classes";
    try (ClusterLock ignored = ClusterLock.await(home.classesLock(), what, LONGEST_SECONDS)) {
      if (!classes.usable()) {
        progress.say("recording which classes Hadoop loads, with a small cluster (only once)");
        // One that was killed in the middle may have left it.
        boolean unusedWasThere = new ClusterTeardown(home).down(CLUSTER);
        SortedSet<String> loaded = record(classes.hadoop());
        progress.say("archiving these classes");
        classes.make(loaded);
      }
    }
  }

  private SortedSet<String> record(HadoopHome hadoop) {
    ClusterSpec spec =
        ClusterSpec.of(CLUSTER, 1, 1, Rate.UNLIMITED, Rate.UNLIMITED).withHadoop(hadoop.version());
    try (RunningCluster running = RunningCluster.listingClasses(home, project, spec, progress)) {
      ClusterDirectory directory = running.cluster().directory();
      HadoopClient alice = HadoopClient.onFirstMaster(running.cluster(), Account.ALICE);
      String input = directory.configuration().resolve("core-site.xml").toString();
      alice.hadoop(List.of("hdfs", "dfs", "-put", input, "words")).output();
      alice.hadoop(List.of("jar", "examples", "wordcount", "words", "counts")).output();
      SortedSet<String> loaded = directory.programClasses(hadoop).lists().all();
      running.succeeded();
      return loaded;
    }
  }
}
