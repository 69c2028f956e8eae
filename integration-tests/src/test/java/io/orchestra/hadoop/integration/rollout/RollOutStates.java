package io.orchestra.hadoop.integration.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.Daemon;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the table of {@code docs/install.md} says of a cluster between the steps of a roll-out, on
 * the way there and on the way back: where a plugin needs two daemons and one has it, Hadoop does
 * its work. While it is looked at nothing restarts, and a job runs beside the one that is always
 * there.
 */
final class RollOutStates {
  /** No single job can promise that one of its containers is away from the replica of its files. */
  private static final int MOST_JOBS = 3;

  /** As many replicas as usual would be one on each host, and swarms would have nothing to do. */
  private static final String ONE_REPLICA_OF_FILES = "-Dmapreduce.client.submit.file.replication=1";

  private final RollOutCluster cluster;
  private final Consumer<String> verifyOutput;

  /**
   * @param verifyOutput fails unless a directory has the output that a job of stock Hadoop writes
   */
  RollOutStates(RollOutCluster cluster, Consumer<String> verifyOutput) {
    this.cluster = cluster;
    this.verifyOutput = verifyOutput;
  }

  /** After step 3, or on the way back before it: masters have plugins, workers and jobs none. */
  void verifyThatMastersAloneDoNothing() {
    cluster.awaitPluginsIn(EnumSet.of(Daemon.NAMENODE, Daemon.RESOURCEMANAGER));
    // On the way back masters forget workers some seconds after they were heard last.
    cluster.awaitFigure(Figure.PEERS, 0);
    cluster.awaitFigure(Figure.PREFETCH_DAEMONS, 0);
    // HDFS is asked to place, and no job tells of its maps.
    verifyThatJobs(
        EnumSet.of(Figure.LEFT_TO_HDFS),
        EnumSet.of(Figure.PLACED_BY_NETWORK, Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED));
  }

  /**
   * After step 4: NodeManagers and jobs have no plugins. Placement has all that it needs. So have
   * swarms, as NodeManagers have started with our jars, and localizers read {@code hdfs-site.xml}
   * anew.
   */
  void verifyThatWithDataNodesPlacementAndSwarmsAct() {
    awaitPluginsUpToDataNodes();
    verifyThatJobs(
        EnumSet.of(Figure.PLACED_BY_NETWORK, Figure.SWARMS),
        EnumSet.of(Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED, Figure.BLOCKS_BEGUN));
  }

  /**
   * On the way back, once the XML is gone and NodeManagers have restarted: placement alone has all
   * that it needs. DataNodes have their peers still, and no localizer asks them.
   */
  void verifyThatWithDataNodesPlacementAloneActs() {
    awaitPluginsUpToDataNodes();
    verifyThatJobs(
        EnumSet.of(Figure.PLACED_BY_NETWORK),
        EnumSet.of(
            Figure.SWARMS_BEGUN, Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED, Figure.BLOCKS_BEGUN));
  }

  private void awaitPluginsUpToDataNodes() {
    cluster.awaitPluginsIn(EnumSet.of(Daemon.NAMENODE, Daemon.RESOURCEMANAGER, Daemon.DATANODE));
    int workers = cluster.hosts().plan().workers().size();
    cluster.awaitFigure(Figure.PEERS, workers);
    cluster.awaitFigure(Figure.PREFETCH_DAEMONS, workers); // Daemons poll and have nothing to do.
  }

  /**
   * After step 5, or on the way back before it: all daemons have plugins, and jobs are submitted
   * without.
   */
  void verifyThatJobsOfBeforeShuffleAsStock() {
    cluster.awaitPluginsIn(EnumSet.allOf(Daemon.class));
    // Reducers fetch from our service what they would from Hadoop's, and ask it for no sizes.
    verifyThatJobs(
        EnumSet.of(Figure.PLACED_BY_NETWORK, Figure.SWARMS, Figure.OUTPUTS_SENT),
        EnumSet.of(
            Figure.SIZES_TOLD, Figure.JOBS_HEARD, Figure.BLOCKS_ORDERED, Figure.BLOCKS_BEGUN));
  }

  /** After step 6: jobs are submitted with plugins, too. */
  void verifyThatAllPluginsAct() {
    cluster.awaitPlugins();
    verifyThatJobs(
        EnumSet.of(Figure.PLACED_BY_NETWORK, Figure.SWARMS, Figure.SIZES_TOLD, Figure.JOBS_HEARD),
        EnumSet.noneOf(Figure.class));
  }

  /** Of what daemons count since they started nothing has happened, by any job. */
  void verifyThatThereWereNone(Figure first, Figure... others) {
    assertThat(cluster.figures(EnumSet.of(first, others)))
        .allSatisfy((figure, count) -> assertThat(count).as(figure.name()).isZero());
  }

  /** Runs a job, or a few, until they have added to some figures; they add nothing to others. */
  private void verifyThatJobs(Set<Figure> growing, Set<Figure> still) {
    Map<Figure, Long> before = cluster.figures(growing);
    Map<Figure, Long> stillBefore = cluster.figures(still);
    int jobs = 0;
    do {
      verifyOutput.accept(RunningJobs.run(cluster, ONE_REPLICA_OF_FILES));
      jobs++;
    } while (jobs < MOST_JOBS && !cluster.haveGrown(before));
    cluster.awaitGrowth(before);
    assertThat(cluster.figures(still)).isEqualTo(stillBefore);
  }
}
