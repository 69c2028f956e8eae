package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.ReleaseAssembly;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import java.nio.file.Files;
import java.nio.file.Path;

/** The Hadoop releases that clusters run, assembled on first use. */
public final class HadoopHomes {
  private static final int LONGEST_SECONDS = 3600;

  private final TestbedHome home;
  private final Progress progress;

  public HadoopHomes(TestbedHome home, Progress progress) {
    this.home = home;
    this.progress = progress;
  }

  /** The one that a spec asks for. */
  HadoopHome of(ClusterSpec spec) {
    if (spec.unpackedHadoop().isPresent()) {
      Path root = spec.unpackedHadoop().get();
      HadoopHome unpacked = HadoopHome.open(root);
      TestbedHome.requireVisible(root, "unpack Hadoop somewhere else");
      return unpacked;
    }
    return ofVersion(spec.hadoopVersion());
  }

  /** The assembled release of a version. */
  public HadoopHome ofVersion(String version) {
    Path root = home.hadoop(version);
    try (ClusterLock ignored =
        ClusterLock.await(home.hadoopLock(), "assembling Hadoop", LONGEST_SECONDS)) {
      if (!Files.isDirectory(root)) {
        Prerequisites.requireMaven();
        new ReleaseAssembly(Versions.ofThisBuild(), progress).assemble(version, root);
      }
    }
    return HadoopHome.open(root);
  }
}
