package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.integration.rollout.RollOutCluster.Stage;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Role;
import io.orchestra.hadoop.testbed.host.Account;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Plugins are rolled out and back under running jobs, in the order of {@code docs/install.md}, with
 * the jars that operators install. No job fails, and all write the same; what acts between the
 * steps is looked at by {@link RollOutStates}. Restarts that change nothing come first: what they
 * do to jobs is Hadoop's own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
@Tag("operations")
final class RollOutIT {
  private static final int INPUT_BYTES = 6 << 20;
  private static final int CACHED_BYTES = 4 << 20;
  private static final List<Plugin> ALL = List.of(Plugin.values());

  private RollOutCluster cluster;
  private RollOutStates states;
  private String expected;
  private int passed;

  @BeforeAll
  void start() {
    cluster = RollOutCluster.up();
    cluster.output(
        List.of(
            "jar",
            "examples",
            "randomtextwriter",
            "-Dmapreduce.framework.name=local",
            "-Dmapreduce.randomtextwriter.totalbytes=" + INPUT_BYTES,
            "input"));
    cluster
        .hosts()
        .firstMaster()
        .command(
            Optional.of(Account.ALICE),
            List.of("bash", "-c", "head -c %d /dev/urandom > /tmp/cached".formatted(CACHED_BYTES)))
        .output();
    expected = result(RunningJobs.run(cluster));
    assertThat(expected).isNotEmpty();
    states = new RollOutStates(cluster, directory -> verify(List.of(directory)));
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      if (passed == 3) {
        cluster.succeeded();
      }
      cluster.close();
    }
  }

  private String result(String directory) {
    return cluster.output(List.of("hdfs", "dfs", "-cat", directory + "/part-r-*"));
  }

  private void verify(List<String> directories) {
    assertThat(directories).isNotEmpty();
    for (String directory : directories) {
      assertThat(result(directory)).as(directory).isEqualTo(expected);
    }
  }

  @Test
  @Order(1)
  void restartsThatChangeNothingFailNoJob() throws InterruptedException {
    try (RunningJobs jobs = RunningJobs.begin(cluster)) {
      cluster.restartNameNodes();
      cluster.restartResourceManagers();
      cluster.restartDataNodes(jobs);
      cluster.restartNodeManagers();
      verify(jobs.end());
    }
    assertThat(cluster.signsOfPlugins()).isEmpty();
    passed++;
  }

  @Test
  @Order(2)
  void rollingOutFailsNoJob() throws InterruptedException {
    try (RunningJobs jobs = RunningJobs.begin(cluster)) {
      cluster.configure(ALL, Stage.MASTERS);
      cluster.restartNameNodes();
      cluster.restartResourceManagers();
      states.verifyThatMastersAloneDoNothing();
      states.verifyThatThereWereNone(
          Figure.PLACED_BY_NETWORK, Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED);
      cluster.configure(ALL, Stage.WORKERS);
      cluster.restartDataNodes(jobs);
      states.verifyThatWithDataNodesPlacementAndSwarmsAct();
      states.verifyThatThereWereNone(Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED, Figure.BLOCKS_BEGUN);
      cluster.restartNodeManagers();
      states.verifyThatJobsOfBeforeShuffleAsStock();
      states.verifyThatThereWereNone(
          Figure.SIZES_TOLD, Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED, Figure.BLOCKS_BEGUN);
      cluster.configure(ALL, Stage.ALL);
      verify(jobs.end());
    }
    states.verifyThatAllPluginsAct();
    for (Role role : Role.values()) {
      assertThat(cluster.jars(role)).as("jars of %s", role).hasSize(1);
    }
    passed++;
  }

  @Test
  @Order(3)
  void rollingBackFailsNoJob() throws InterruptedException {
    try (RunningJobs jobs = RunningJobs.begin(cluster)) {
      cluster.configure(ALL, Stage.WORKERS);
      jobs.awaitNext();
      states.verifyThatJobsOfBeforeShuffleAsStock();
      // What runs does not read it, and masters are the last to start with it.
      cluster.configure(List.of(), Stage.ALL);
      cluster.restartNodeManagers();
      states.verifyThatWithDataNodesPlacementAloneActs();
      cluster.restartDataNodes(jobs);
      states.verifyThatMastersAloneDoNothing();
      cluster.restartResourceManagers();
      cluster.restartNameNodes();
      verify(jobs.end());
    }
    // All daemons are stock: no page and no count of ours is there any more.
    assertThat(cluster.signsOfPlugins()).isEmpty();
    verify(List.of(RunningJobs.run(cluster)));
    passed++;
  }
}
