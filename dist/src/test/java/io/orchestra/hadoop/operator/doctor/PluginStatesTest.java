package io.orchestra.hadoop.operator.doctor;

import static io.orchestra.hadoop.operator.doctor.ExaminedHost.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orchestra.hadoop.operator.doctor.Finding.Level;
import io.orchestra.hadoop.operator.install.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which plugins the doctor takes for on. */
final class PluginStatesTest {
  private static final String SCHEDULER = "io.orchestra.hadoop.prefetch.FlexFetchScheduler";
  private static final String HANDLER = "io.orchestra.hadoop.shuffle.WeightedShuffleHandler";
  private static final String RACK_FAULT_TOLERANT =
      "io.orchestra.hadoop.placement.NetworkAwareRackFaultTolerantPolicy";

  @TempDir private Path directory;
  private ExaminedHost host;

  @BeforeEach
  void placementIsInstalledAndConfigured() throws IOException {
    host = new ExaminedHost(directory);
  }

  @Test
  void aPluginOfWhichAPartIsMissingIsAProblem() throws IOException, InterruptedException {
    host.hdfs().remove("dfs.namenode.plugins");

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith(
                        "hdfs-placement: dfs.namenode.plugins does not name "
                            + ExaminedHost.COLLECTOR));
  }

  /** As docs/placement.md has it for those whose policy for replicas ours cannot extend. */
  @Test
  void placementOfErasureCodedFilesAloneIsOnAndNoted() throws IOException, InterruptedException {
    host.classesForAll(RACK_FAULT_TOLERANT);
    host.hdfs()
        .put(
            "dfs.block.replicator.classname",
            "org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy");
    host.hdfs().put("dfs.block.placement.ec.classname", RACK_FAULT_TOLERANT);

    Findings findings = host.examine();

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.OK)).contains("hdfs-placement: on");
    assertThat(texts(findings, Level.NOTE))
        .contains(
            "hdfs-placement: dfs.block.replicator.classname does not name it,"
                + " so what that key is for stays as it was");
  }

  @Test
  void placementByPoliciesThatAreAllOthersIsAProblem() throws IOException, InterruptedException {
    host.hdfs().remove("dfs.block.replicator.classname");

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith(
                        "hdfs-placement: none of dfs.block.replicator.classname,"
                            + " dfs.block.placement.ec.classname names io.orchestra.hadoop"));
  }

  @Test
  void aPluginThatIsSwitchedOffIsNoted() throws IOException, InterruptedException {
    host.hdfs().put("orchestra.placement.enabled", "false");

    assertThat(texts(host.examine(), Level.NOTE))
        .contains("hdfs-placement: off, orchestra.placement.enabled is false");
  }

  @Test
  void aPluginWhoseBlockCacheIsSwitchedOffIsOff() throws IOException, InterruptedException {
    broadcastWithSocketIn(directory.resolve("run"));
    host.hdfs().put("orchestra.block-cache.enabled", "false");

    Findings findings = host.examine();

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .contains("broadcast-cache: off, orchestra.block-cache.enabled is false");
  }

  @Test
  void prefetchingThatOnlyForetellsIsOff() throws IOException, InterruptedException {
    host.classesForAll(SCHEDULER);
    host.yarn().put("yarn.resourcemanager.scheduler.class", SCHEDULER);
    host.yarn().put("orchestra.prefetch.fetch", "false");

    assertThat(texts(host.examine(Role.RESOURCEMANAGER), Level.NOTE))
        .contains("prefetch-scheduler: off, orchestra.prefetch.fetch is false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yarn.scheduler.fair.continuous-scheduling-enabled",
        "yarn.resourcemanager.scheduler.autocorrect.container.allocation"
      })
  void whatThePluginDoesNotGoWithIsAProblem(String key) throws IOException, InterruptedException {
    host.classesForAll(SCHEDULER);
    host.yarn().put("yarn.resourcemanager.scheduler.class", SCHEDULER);
    assertThat(host.problems(Role.RESOURCEMANAGER)).isEmpty();

    host.yarn().put(key, "true");

    assertThat(host.problems(Role.RESOURCEMANAGER))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .isEqualTo(
                        "prefetch-scheduler: does nothing, since %s is true".formatted(key)));
    assertThat(host.problems(Role.NAMENODE)).isEmpty();
  }

  /** Which is the file of NodeManagers: {@code mapred-site.xml} is for those who submit jobs. */
  @Test
  void whatIsSwitchedOffInItsOwnFileIsOffWhateverAnotherFileSays()
      throws IOException, InterruptedException {
    shuffleServed();
    host.yarn().put("orchestra.shuffle.enabled", "false");
    host.mapred().put("orchestra.shuffle.enabled", "true");

    Findings findings = host.examine(Role.NODEMANAGER);

    assertThat(texts(findings, Level.NOTE))
        .contains("mapreduce-shuffle: off, orchestra.shuffle.enabled is false");
    assertThat(texts(findings, Level.OK)).doesNotContain("mapreduce-shuffle: on");
  }

  @Test
  void whatIsSwitchedOffForJobsAloneIsNoted() throws IOException, InterruptedException {
    shuffleServed();
    host.mapred().put("orchestra.shuffle.enabled", "false");

    Findings findings = host.examine(Role.NODEMANAGER, Role.CLIENT);

    assertThat(texts(findings, Level.NOTE))
        .contains(
            "mapreduce-shuffle: off in what is read by application masters, tasks and clients,"
                + " orchestra.shuffle.enabled is false");
    assertThat(texts(findings, Level.OK)).contains("mapreduce-shuffle: on");
  }

  @Test
  void aDaemonOfThisHostThatIsSwitchedOffIsNamed() throws IOException, InterruptedException {
    host.classesForAll(SCHEDULER);
    host.yarn().put("yarn.resourcemanager.scheduler.class", SCHEDULER);
    host.hdfs().put("dfs.datanode.plugins", ExaminedHost.PREFETCH_DAEMON);
    host.hdfs().put("orchestra.prefetch.enabled", "false");

    Findings findings = host.examine(Role.RESOURCEMANAGER, Role.DATANODE);

    assertThat(texts(findings, Level.NOTE))
        .contains(
            "prefetch-scheduler: off in what is read by DataNode, orchestra.prefetch.enabled is false");
    assertThat(texts(findings, Level.OK)).doesNotContain("prefetch-scheduler: on");
  }

  @Test
  void aHostIsAskedOnlyForItsOwnRoles() throws IOException, InterruptedException {
    host.hdfs().remove("dfs.namenode.plugins");
    host.hdfs().remove("dfs.block.replicator.classname");

    assertThat(host.examine(Role.DATANODE).exitStatus()).isZero();
  }

  @Test
  void whatPluginsShareSwitchesNoneOfThemOn() throws IOException, InterruptedException {
    host.hdfs().put(Plugin.ACCESSORS, ExaminedHost.ACCESSOR);

    Findings findings = host.examine(Role.NAMENODE, Role.DATANODE, Role.NODEMANAGER);

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.NOTE))
        .contains(
            "broadcast-cache: off, the configuration does not name it",
            "prefetch-scheduler: off, the configuration does not name it");
  }

  @Test
  void whatPluginsShareIsMissedWhereOneOfThemIsOn() throws IOException, InterruptedException {
    host.hdfs().put("dfs.datanode.plugins", ExaminedHost.PREFETCH_DAEMON);

    assertThat(host.problems(Role.DATANODE, Role.NODEMANAGER).stream().map(Finding::text))
        .contains(
            "prefetch-scheduler: %s does not name %s, without which the other parts do nothing"
                .formatted(Plugin.ACCESSORS, ExaminedHost.ACCESSOR),
            "prefetch-scheduler: orchestra.block-cache.map-input is not true, without which the other parts do nothing")
        .noneMatch(text -> text.startsWith("broadcast-cache"));
  }

  /** On a host of a NodeManager alone nothing else tells whose the accessor is. */
  @Test
  void aHostWithOnlyASharedPartGoesByWhatItsConfigurationHasForOthers()
      throws IOException, InterruptedException {
    host.classesForAll(ExaminedHost.ACCESSOR);
    host.hdfs().put(Plugin.ACCESSORS, ExaminedHost.ACCESSOR);

    assertThat(texts(host.examine(Role.NODEMANAGER), Level.NOTE))
        .contains(
            "broadcast-cache: what this host needs is named, and is used if the plugin is on elsewhere");

    host.hdfs().put("dfs.datanode.plugins", ExaminedHost.PEER);

    assertThat(texts(host.examine(Role.NODEMANAGER), Level.OK)).contains("broadcast-cache: on");
  }

  /** They may be submitted elsewhere. */
  @Test
  void whatJobsBringIsOnlyNotedWhereItIsMissing() throws IOException, InterruptedException {
    shuffleServed();

    Findings findings = host.examine(Role.NODEMANAGER, Role.CLIENT);

    assertThat(findings.exitStatus()).isZero();
    assertThat(texts(findings, Level.NOTE))
        .contains(
            "mapreduce-shuffle: mapreduce.job.reduce.shuffle.consumer.plugin.class does not name"
                + " io.orchestra.hadoop.shuffle.WeightedShuffle: jobs that are submitted with this configuration do without"
                + " it");
    assertThat(texts(findings, Level.OK)).contains("mapreduce-shuffle: on");
  }

  @Test
  void jobsWithoutTheirCounterpartAreAProblem() throws IOException, InterruptedException {
    host.mapred().put("yarn.app.mapreduce.am.preemption.policy", ExaminedHost.AGENT);

    assertThat(host.problems(Role.RESOURCEMANAGER, Role.CLIENT).stream().map(Finding::text))
        .contains(
            "prefetch-scheduler: yarn.resourcemanager.scheduler.class does not name"
                + " io.orchestra.hadoop.prefetch.FlexFetchScheduler, without which the other parts do nothing");
  }

  @Test
  void aBlockCacheWithoutADirectoryForItsSocketIsAProblem()
      throws IOException, InterruptedException {
    broadcastWithSocketIn(directory.resolve("run"));

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text()).contains(directory.resolve("run") + ", does not exist");
              assertThat(problem.remedy()).contains("install -d");
            });
  }

  @Test
  void aSocketThatOthersCouldReplaceIsAProblem() throws IOException, InterruptedException {
    Path run = Files.createDirectory(directory.resolve("run"));
    assertThat(run.toFile().setWritable(true, false)).isTrue();
    broadcastWithSocketIn(run);

    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    // And not one above it, such as /tmp.
                    .contains("is not safe", run.toRealPath() + " is writable for others"));
  }

  /** The DataNode itself refuses the directory of another user. */
  @Test
  void whoseTheDirectoryOfTheSocketIsIsSaid() throws IOException, InterruptedException {
    // None above it may be open to others, as /tmp is.
    broadcastWithSocketIn(Path.of("/"));

    // Here that is root, as whom DataNodes seldom run.
    assertThat(texts(host.examine(), Level.NOTE))
        .contains(
            "the block cache's socket has a directory, /; it belongs to %s, as whom the DataNode must run"
                .formatted(Files.getOwner(Path.of("/")).getName()));
  }

  @Test
  void aDirectoryForBlocksThatIsNotWhoseTheSocketsIsIsAProblem()
      throws IOException, InterruptedException {
    assumeThat(System.getProperty("user.name")).as("only root gives files away").isEqualTo("root");
    Path blocks = Files.createDirectory(directory.resolve("blocks"));
    broadcastWithSocketIn(Path.of("/"));
    host.hdfs().put("orchestra.block-cache.directory", blocks.toString());
    assertThat(host.problems()).isEmpty();

    try {
      Files.setAttribute(blocks, "unix:uid", 65_534);
    } catch (IOException e) {
      assumeThat(e).as("a root that may give files away").isNull();
    }
    assertThat(host.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.text())
                  .startsWith("the block cache is off: %s belongs to ".formatted(blocks))
                  .contains("and the directory of its socket to root");
              assertThat(problem.remedy()).contains("that is not there yet");
            });
  }

  /** Its DataNode would look for a ResourceManager on this very host. */
  @Test
  void aDataNodeThatKnowsNoResourceManagerHasNoPrefetchDaemon()
      throws IOException, InterruptedException {
    host.hdfs()
        .put("dfs.datanode.plugins", ExaminedHost.REPORTER + "," + ExaminedHost.PREFETCH_DAEMON);
    host.hdfs().put("orchestra.block-cache.socket", directory.resolve("s").toString());
    host.hdfs().put("orchestra.block-cache.guard-socket", "false");

    assertThat(texts(host.examine(Role.DATANODE), Level.PROBLEM))
        .containsExactly(
            "prefetch-scheduler: the daemon of this host's DataNode is off:"
                + " YARN's settings name no ResourceManager. Set orchestra.prefetch.coordinators");

    host.yarn().put("yarn.resourcemanager.hostname", "resourcemanager");
    assertThat(host.problems(Role.DATANODE)).isEmpty();
    host.yarn().remove("yarn.resourcemanager.hostname");
    host.hdfs().put("orchestra.prefetch.coordinators", "resourcemanager");
    assertThat(host.problems(Role.DATANODE)).isEmpty();
  }

  private void shuffleServed() throws IOException {
    host.classesForAll(HANDLER);
    host.yarn().put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    host.yarn().put("yarn.nodemanager.aux-services.mapreduce_shuffle.class", HANDLER);
  }

  private void broadcastWithSocketIn(Path run) throws IOException {
    host.hdfs().put("dfs.namenode.plugins", ExaminedHost.COLLECTOR + "," + ExaminedHost.TRACKER);
    host.hdfs().put("dfs.datanode.plugins", ExaminedHost.REPORTER + "," + ExaminedHost.PEER);
    host.hdfs().put("dfs.client.replica.accessor.builder.classes", ExaminedHost.ACCESSOR);
    host.hdfs().put("orchestra.block-cache.socket", run.resolve("s").toString());
  }
}
