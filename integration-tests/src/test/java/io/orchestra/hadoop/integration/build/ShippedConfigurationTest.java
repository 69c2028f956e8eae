package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.operator.install.Role;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.traffic.TrafficHelper;
import io.orchestra.hadoop.shuffle.ShuffleConfig;
import io.orchestra.hadoop.shuffle.WeightedShuffle;
import io.orchestra.hadoop.shuffle.WeightedShuffleHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.junit.jupiter.api.Test;

/** The files below {@code conf/} are what Hadoop and our own reader accept. */
final class ShippedConfigurationTest {
  private static final Pattern FIRST_COMMENT =
      Pattern.compile("\\A(<\\?xml.*\\?>)?\\s*<!--.*?-->", Pattern.DOTALL);
  private static final Pattern PAGE = Pattern.compile("docs/[a-z-]+\\.md");

  @Test
  void everyFileIsXmlThatHadoopReads() throws IOException {
    Path conf = SourceTree.root().resolve("conf");
    List<Path> files = files(conf);

    assertThat(files)
        .extracting(file -> conf.relativize(file).getParent().toString())
        .containsOnly(
            "all", "hdfs-placement", "broadcast-cache", "mapreduce-shuffle", "prefetch-scheduler");
    for (Path file : files) {
      assertThat(load(file)).as("%s", file).isNotEmpty();
    }
  }

  /** What it is for, for whoever finds it in an archive. */
  @Test
  void everyFileBeginsWithACommentThatLeadsToAPage() throws IOException {
    for (Path file : files(SourceTree.root().resolve("conf"))) {
      Matcher comment = FIRST_COMMENT.matcher(Files.readString(file));
      assertThat(comment.find()).as("a comment in %s", file).isTrue();
      Matcher page = PAGE.matcher(comment.group());
      assertThat(page.find()).as("a page in the first comment of %s", file).isTrue();
      assertThat(SourceTree.root().resolve(page.group())).exists();
    }
  }

  @Test
  void everyClassOfOursThatAFileNamesIsThere() throws Exception {
    int named = 0;
    for (Path file : files(SourceTree.root().resolve("conf"))) {
      Configuration conf = load(file);
      for (Map.Entry<String, String> property : conf) {
        for (String value : conf.getTrimmedStringCollection(property.getKey())) {
          if (value.startsWith("io.orchestra.")) {
            assertThat(conf.getClassByNameOrNull(value)).as("%s in %s", value, file).isNotNull();
            named++;
          }
        }
      }
    }
    assertThat(named).isGreaterThan(20);
  }

  @Test
  void placementNamesClassesThatExistAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/hdfs-placement/hdfs-site.xml"));

    assertThat(conf.getClass("dfs.block.replicator.classname", null, BlockPlacementPolicy.class))
        .isNotNull();
    assertThat(conf.getInstances("dfs.namenode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getInstances("dfs.datanode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(PlacementConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, PlacementConfig.PREFIX, PlacementConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void broadcastNamesClassesThatExistAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/broadcast-cache/hdfs-site.xml"));

    assertThat(conf.getInstances("dfs.namenode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getInstances("dfs.datanode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getClasses("dfs.client.replica.accessor.builder.classes"))
        .allMatch(ReplicaAccessorBuilder.class::isAssignableFrom)
        .hasSize(1);
    assertThat(BroadcastConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, BroadcastConfig.PREFIX, BroadcastConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void shuffleNamesAServiceThatExistsAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/mapreduce-shuffle/yarn-site.xml"));

    assertThat(
            conf.getClass(
                "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
                null,
                AuxiliaryService.class))
        .isEqualTo(WeightedShuffleHandler.class);
    assertThat(ShuffleConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, ShuffleConfig.PREFIX, ShuffleConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void shuffleNamesAConsumerThatReducersAcceptAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/mapreduce-shuffle/mapred-site.xml"));

    assertThat(conf.getClass(MRConfig.SHUFFLE_CONSUMER_PLUGIN, null, ShuffleConsumerPlugin.class))
        .isEqualTo(WeightedShuffle.class);
    assertThat(ShuffleConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, ShuffleConfig.PREFIX, ShuffleConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void prefetchNamesAClassThatExistsAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/prefetch-scheduler/yarn-site.xml"));

    assertThat(conf.getClass(YarnConfiguration.RM_SCHEDULER, null, FairScheduler.class))
        .isNotNull();
    assertThat(PrefetchConfig.from(conf).enabled()).isTrue();
    assertThat(SettingReader.unknownKeys(conf, PrefetchConfig.PREFIX, PrefetchConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void prefetchNamesADaemonAndAReaderThatExistAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/prefetch-scheduler/hdfs-site.xml"));

    assertThat(conf.getInstances("dfs.datanode.plugins", ServicePlugin.class)).hasSize(1);
    assertThat(conf.getClasses("dfs.client.replica.accessor.builder.classes"))
        .allMatch(ReplicaAccessorBuilder.class::isAssignableFrom)
        .hasSize(1);
    assertThat(conf.getFinalParameters())
        .contains("dfs.client.replica.accessor.builder.classes", "orchestra.block-cache.map-input");
    assertThat(PrefetchConfig.from(conf).daemon().coordinators()).isEmpty();
    assertThat(SettingReader.unknownKeys(conf, PrefetchConfig.PREFIX, PrefetchConfig.SETTINGS))
        .isEmpty();
    assertThat(SettingReader.unknownKeys(conf, BlockCacheConfig.PREFIX, BlockCacheConfig.SETTINGS))
        .isEmpty();
  }

  @Test
  void prefetchNamesAnAgentThatApplicationMastersAccept() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/prefetch-scheduler/mapred-site.xml"));

    assertThat(conf.getClass(MRJobConfig.MR_AM_PREEMPTION_POLICY, null, AMPreemptionPolicy.class))
        .isNotNull();
    assertThat(conf.getInt(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 0)).isEqualTo(1000);
  }

  @Test
  void allOfThemTogetherNameClassesThatExistAndSettingsThatAreValid() throws Exception {
    Configuration conf = load(SourceTree.root().resolve("conf/all/hdfs-site.xml"));

    assertThat(conf.getInstances("dfs.namenode.plugins", ServicePlugin.class)).hasSize(2);
    assertThat(conf.getInstances("dfs.datanode.plugins", ServicePlugin.class)).hasSize(3);
    for (String key :
        List.of("dfs.block.replicator.classname", "dfs.block.placement.ec.classname")) {
      assertThat(conf.getClass(key, null, BlockPlacementPolicy.class)).as(key).isNotNull();
    }
    assertThat(PlacementConfig.from(conf).enabled()).isTrue();
    assertThat(BroadcastConfig.from(conf).enabled()).isTrue();
    assertThat(PrefetchConfig.from(conf).enabled()).isTrue();
    conf.set("hadoop.tmp.dir", "/tmp");
    assertThat(BlockCacheConfig.from(conf).enabled()).isTrue();
  }

  /** Every property of a plugin's folder is in {@code conf/all}, lists among others of the list. */
  @Test
  void allOfThemTogetherIsWhatEachHas() throws IOException {
    Path conf = SourceTree.root().resolve("conf");
    Path all = conf.resolve("all");
    int compared = 0;
    for (Path file : files(conf)) {
      if (file.startsWith(all)) {
        continue;
      }
      Configuration together = load(all.resolve(file.getFileName()));
      for (Map.Entry<String, String> property : load(file)) {
        assertThat(together.getTrimmedStringCollection(property.getKey()))
            .as("%s of %s", property.getKey(), file)
            .containsAll(load(file).getTrimmedStringCollection(property.getKey()));
        compared++;
      }
      assertThat(finals(together)).as("final, as in %s", file).containsAll(finals(load(file)));
    }
    assertThat(compared).isGreaterThan(20);
  }

  /** And it has nothing that no plugin asks for, but the class path of tasks. */
  @Test
  void allOfThemTogetherHasNothingElse() throws IOException {
    Path conf = SourceTree.root().resolve("conf");
    Set<String> known = new TreeSet<>(Set.of(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH));
    Set<String> together = new TreeSet<>();
    for (Path file : files(conf)) {
      Set<String> names = file.startsWith(conf.resolve("all")) ? together : known;
      load(file).forEach(property -> names.add(property.getKey()));
    }

    assertThat(together).isEqualTo(known);
  }

  /** A wrong class path would be seen only on a host with systemd. */
  @Test
  void theTrafficHelperRunsOnWhatIsInstalledOnAHostOfADataNode() throws IOException {
    String unit =
        Files.readString(
            SourceTree.root().resolve("conf/prefetch-scheduler/orchestra-traffic.service"));

    assertThat(unit)
        .contains("/orchestra/current/" + Role.DATANODE.stableJarName() + ":")
        .contains(" " + TrafficHelper.class.getName() + " ");
  }

  /** Its device may come later than it, and a device that it does not get now it may get later. */
  @Test
  void theTrafficHelperIsTriedAgainUntilItHasItsDeviceAndMayBeToldToEnd() throws IOException {
    List<String> lines =
        Files.readAllLines(
            SourceTree.root().resolve("conf/prefetch-scheduler/orchestra-traffic.service"));
    int service = lines.indexOf("[Service]");
    int install = lines.indexOf("[Install]");
    assertThat(service).isPositive();
    assertThat(install).isGreaterThan(service);

    assertThat(lines.subList(0, service))
        .contains(
            "After=network.target",
            "Before=hadoop-hdfs-datanode.service",
            "StartLimitIntervalSec=0");
    assertThat(lines.subList(service, install))
        .contains("Restart=on-failure", "RestartSec=5", "SuccessExitStatus=143");
  }

  /** Hadoop's default, so that whoever pastes it loses nothing. */
  @Test
  void tasksKeepTheClassPathThatHadoopGivesThem() throws IOException {
    Configuration conf = load(SourceTree.root().resolve("conf/all/mapred-site.xml"));

    assertThat(conf.getTrimmedStringCollection(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH))
        .containsAll(
            StringUtils.getTrimmedStringCollection(
                MRJobConfig.DEFAULT_MAPREDUCE_APPLICATION_CLASSPATH))
        .contains("$HADOOP_MAPRED_HOME/orchestra/current/" + Role.CLIENT.stableJarName());
  }

  /** As the description and what is printed with it say. */
  @Test
  void containersDoNotKnowTheVariableOfThatClassPathByDefault() {
    assertThat(
            new YarnConfiguration().getTrimmedStringCollection(YarnConfiguration.NM_ENV_WHITELIST))
        .contains("HADOOP_COMMON_HOME")
        .doesNotContain("HADOOP_MAPRED_HOME");
  }

  private static Set<String> finals(Configuration conf) {
    // Known once something has been read.
    assertThat(conf.size()).isPositive();
    return conf.getFinalParameters();
  }

  private static List<Path> files(Path conf) throws IOException {
    try (Stream<Path> paths = Files.walk(conf)) {
      return paths.filter(path -> path.toString().endsWith(".xml")).toList();
    }
  }

  private static Configuration load(Path file) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(file.toUri().toURL());
    return conf;
  }
}
