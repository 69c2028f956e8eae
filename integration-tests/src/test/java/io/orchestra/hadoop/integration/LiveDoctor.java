package io.orchestra.hadoop.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.operator.doctor.LiveQuestions;
import io.orchestra.hadoop.operator.install.Release;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/** What {@code doctor --live} says of the daemons of a cluster, to an administrator on a master. */
public final class LiveDoctor {
  private static final int HEAP_MEGABYTES = 200;

  /** A class of each jar of ours that the doctor runs on. */
  private static final List<Class<?>> PARTS =
      List.of(
          Release.class,
          PlacementConfig.class,
          BroadcastConfig.class,
          ShuffleConfig.class,
          PrefetchConfig.class);

  private LiveDoctor() {}

  /** A line for each finding, and one for its remedy. */
  public static String ask(Cluster cluster) throws IOException {
    Path jars = cluster.directory().commandJars();
    ProgramJar.write(LiveQuestions.class, jars);
    for (Class<?> part : PARTS) {
      Path jar = jarOf(part);
      Path unusedCopy =
          Files.copy(jar, jars.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    Command.Outcome outcome =
        new HadoopClient(cluster, cluster.host("m1"), Optional.of(Account.HDFS))
            .ours(LiveQuestions.class, HEAP_MEGABYTES, List.of())
            .run();
    assertThat(outcome.succeeded()).as(outcome.complaint()).isTrue();
    return outcome.output();
  }

  private static Path jarOf(Class<?> type) {
    Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    assertThat(jar.toString()).as("packaged").endsWith(".jar");
    return jar;
  }
}
