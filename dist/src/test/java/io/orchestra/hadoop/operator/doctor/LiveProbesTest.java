package io.orchestra.hadoop.operator.doctor;

import static io.orchestra.hadoop.operator.doctor.ExaminedHost.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orchestra.hadoop.operator.doctor.Finding.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One web server stands in for all daemons of a cluster with one host. */
final class LiveProbesTest {
  private static final String NODES = "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo";
  private static final String TRACKER =
      "/jmx?qry=Hadoop:service=NameNode,name=OrchestraSwarmTracker";
  private static final String PEER = "/jmx?qry=Hadoop:service=DataNode,name=OrchestraSwarmPeer";
  private static final String CACHE = "/jmx?qry=Hadoop:service=DataNode,name=OrchestraBlockCache";

  private static final String MANAGER = "/jmx?qry=Hadoop:service=ResourceManager,name=RMInfo";
  private static final String SHUFFLE =
      "/jmx?qry=Hadoop:service=NodeManager,name=OrchestraShuffleServer";
  private static final String PREDICTION =
      "/jmx?qry=Hadoop:service=ResourceManager,name=OrchestraPrediction";
  private static final String PREFETCH =
      "/jmx?qry=Hadoop:service=DataNode,name=OrchestraPrefetchDaemon";

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Findings findings = new Findings();
  private final Configuration conf = new Configuration();
  private HttpServer server;
  private LiveCluster cluster;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    String address = address();
    conf.set("dfs.namenode.http-address", address);
    conf.set("yarn.resourcemanager.webapp.address", address);
    cluster = new LiveCluster(conf);
    answers.put(MANAGER, bean("\"State\": \"active\""));
    answers.put(
        "/jmx?qry=Hadoop:service=ResourceManager,name=RMNMInfo",
        bean(
            "\"LiveNodeManagers\": \"[{\\\"HostName\\\":\\\"h\\\",\\\"NodeHTTPAddress\\\":\\\"%s\\\"}]\""
                .formatted(address)));
    answers.put(
        NODES,
        bean(
            // Nobody has that address: it is the name that counts.
            "\"LiveNodes\": \"{\\\"127.0.0.1:9866\\\":{\\\"infoAddr\\\":\\\"192.0.2.1:%d\\\",\\\"infoSecureAddr\\\":\\\"192.0.2.1:9865\\\"}}\""
                .formatted(server.getAddress().getPort())));
    answers.put(
        "/conf?name=dfs.block.replicator.classname",
        policy("io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void placementWorksWhereEveryDataNodeReports() throws IOException {
    answers.put(
        "/orchestra/placement",
        "{\"enabled\": true, \"picks\": {\"network\": 7}, \"nodes\": [{\"host\": \"a\", \"reporting\": true}]}");

    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.OK)).contains("the one DataNode; 7 replicas placed");
  }

  @Test
  void placementNamesDataNodesThatAreSilent() throws IOException {
    answers.put(
        "/orchestra/placement",
        "{\"enabled\": true, \"nodes\": [{\"host\": \"a\", \"reporting\": true}, {\"host\": \"b\", \"reporting\": false}]}");

    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("hears nothing of 1 of 2 DataNodes: b");
    assertThat(findings.all())
        .filteredOn(finding -> finding.level() == Level.PROBLEM)
        .allMatch(finding -> finding.remedy().contains("cannot measure its link"));
  }

  @Test
  void aPolicyThatFailedIsAProblem() throws IOException {
    answers.put(
        "/orchestra/placement",
        "{\"enabled\": true, \"picks\": {\"network\": 7, \"failure\": 2}, \"nodes\": [{\"host\": \"a\", \"reporting\": true}]}");

    new PlacementProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .contains("has failed 2 times");
  }

  @Test
  void placementThatHasLeftEverythingToHdfsIsNoted() throws IOException {
    answers.put(
        "/orchestra/placement",
        "{\"enabled\": true, \"picks\": {\"network\": 0, \"small-block\": 3, \"failure\": 0}, \"nodes\": [{\"host\": \"a\", \"reporting\": true}]}");

    new PlacementProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.NOTE))
        .singleElement()
        .asString()
        .contains("has left all replicas to HDFS: {small-block=3}");
    assertThat(findings.exitStatus()).isZero();
  }

  @Test
  void aClusterWithoutLiveWorkersIsAProblemForEveryPlugin() throws IOException {
    answers.put(NODES, bean("\"LiveNodes\": \"{}\""));
    answers.put(
        "/jmx?qry=Hadoop:service=ResourceManager,name=RMNMInfo",
        bean("\"LiveNodeManagers\": \"[]\""));
    answers.put("/orchestra/placement", "{\"enabled\": true, \"nodes\": []}");
    answers.put(TRACKER, bean("\"Peers\": 0"));
    answers.put("/orchestra/prefetch", "{\"daemons\": []}");
    for (LiveProbe probe :
        List.of(
            new PlacementProbe(), new BroadcastProbe(), new PrefetchProbe(), new ShuffleProbe())) {
      probe.ask(cluster, findings);
    }

    assertThat(only(Level.PROBLEM))
        .contains("hdfs-placement: the NameNode http://" + address() + " sees no live DataNode")
        .contains("broadcast-cache: the NameNode http://" + address() + " sees no live DataNode")
        .contains("broadcast-cache: no DataNode is alive")
        .contains("prefetch-scheduler: no DataNode is alive")
        .contains("mapreduce-shuffle: no NodeManager is alive");
  }

  @Test
  void deadWorkersAreNotedOnceUnlessTheyAreMeantToBeDown() throws IOException {
    answers.put(
        NODES,
        bean(
            "\"LiveNodes\": \"{\\\"127.0.0.1:9866\\\":{\\\"infoAddr\\\":\\\"127.0.0.1:%d\\\"}}\", "
                    .formatted(server.getAddress().getPort())
                + "\"DeadNodes\": \"{\\\"worker3:9866\\\":{\\\"adminState\\\":\\\"In Service\\\"},"
                + "\\\"worker4:9866\\\":{\\\"adminState\\\":\\\"Decommissioned\\\"}}\""));
    answers.put(
        "/jmx?qry=Hadoop:service=ResourceManager,name=ClusterMetrics", bean("\"NumLostNMs\": 2"));

    new BroadcastProbe().ask(cluster, findings);
    new PrefetchProbe().ask(cluster, findings);
    new ShuffleProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.NOTE))
        .containsExactly(
            "the NameNode http://%s takes for dead, and they are not asked: 1 of 2 DataNodes: worker3"
                .formatted(address()),
            "NodeManagers that the ResourceManager has lost, and that are not asked: 2");
  }

  @Test
  void aNameNodeWithoutACollectorIsAProblem() throws IOException {
    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("has no link collector");
  }

  @Test
  void placementThatWasSwitchedOffInARunningNameNodeIsAProblem() throws IOException {
    answers.put("/orchestra/placement", "{\"enabled\": false}");

    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("publishes no snapshots");
  }

  @Test
  void aSnapshotThatIsOldIsAProblem() throws IOException {
    answers.put("/orchestra/placement", "{\"enabled\": true, \"snapshotAgeMillis\": 61000}");

    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("no snapshot of the links for 61 s");
  }

  /** The collector is there, and whoever places replicas does not ask it. */
  @Test
  void aNameNodeThatRunsWithAnotherPolicyIsAProblem() throws IOException {
    answers.put("/orchestra/placement", "{\"enabled\": true, \"nodes\": []}");
    answers.put("/conf?name=dfs.block.replicator.classname", policy("org.example.Theirs"));

    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("runs with another policy, org.example.Theirs");
  }

  @Test
  void aNameNodeWhosePolicyForErasureCodedFilesIsOursAloneIsNoted() throws IOException {
    answers.put(
        "/orchestra/placement",
        "{\"enabled\": true, \"nodes\": [{\"host\": \"a\", \"reporting\": true}]}");
    answers.put("/conf?name=dfs.block.replicator.classname", policy("org.example.Theirs"));
    answers.put(
        "/conf?name=dfs.block.placement.ec.classname",
        policy("io.orchestra.hadoop.placement.NetworkAwareRackFaultTolerantPolicy"));

    new PlacementProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
    assertThat(texts(findings, Level.OK)).singleElement().asString().contains("the one DataNode");
    assertThat(texts(findings, Level.NOTE))
        .singleElement()
        .asString()
        .contains("places erasure-coded files alone by the network, org.example.Theirs the others");

    conf.set(
        "dfs.block.replicator.classname",
        "io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy");
    Findings sinceThen = new Findings();
    new PlacementProbe().ask(new LiveCluster(conf), sinceThen);
    assertThat(texts(sinceThen, Level.PROBLEM))
        .as("it has not been restarted since the XML names ours for all files")
        .singleElement()
        .asString()
        .contains("runs with another policy, org.example.Theirs");
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsNotKnown() throws IOException {
    server.stop(0);

    new PlacementProbe().ask(cluster, findings);

    assertThat(only(Level.UNKNOWN)).contains("http://" + address()).contains("does not tell");
  }

  @Test
  void ofAPairOfNameNodesTheOneThatIsUpIsAskedThoughTheOtherIsDown() throws IOException {
    answers.put(
        "/orchestra/placement",
        "{\"enabled\": true, \"nodes\": [{\"host\": \"a\", \"reporting\": true}]}");
    answers.put(TRACKER, bean("\"Peers\": 1"));
    answers.put(PEER, bean("\"SwarmsJoined\": 0"));
    answers.put(PREFETCH, bean("\"Started\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));
    answers.put("/orchestra/prefetch", "{\"daemons\": [{\"host\": \"h\"}]}");
    Configuration conf = nameNodes();
    conf.set("dfs.namenode.http-address.ns.a", "127.0.0.1:1");
    conf.set("dfs.namenode.http-address.ns.b", address());
    conf.set("yarn.resourcemanager.webapp.address", address());
    LiveCluster pair = new LiveCluster(conf);

    for (LiveProbe probe :
        List.of(new PlacementProbe(), new BroadcastProbe(), new PrefetchProbe())) {
      probe.ask(pair, findings);
    }

    assertThat(texts(findings, Level.UNKNOWN))
        .hasSize(3)
        .allMatch(text -> text.contains("http://127.0.0.1:1 does not tell"));
    assertThat(String.join("\n", texts(findings, Level.OK)))
        .contains("hdfs-placement: the NameNode http://" + address())
        .contains("broadcast-cache: the tracker of http://" + address())
        .contains("broadcast-cache: peer and block cache on the one DataNode")
        .contains("prefetch-scheduler: the ResourceManager http://" + address())
        .contains("prefetch-scheduler: prefetch daemon and block cache on the one DataNode");
    assertThat(findings.all()).noneMatch(finding -> finding.level() == Level.PROBLEM);
  }

  @Test
  void theAddressesOfAPairOfNameNodesAreTheirs() throws IOException {
    Configuration conf = nameNodes();
    conf.set("dfs.namenode.http-address.ns.a", "127.0.0.2:9870");
    conf.set("dfs.namenode.http-address.ns.b", "127.0.0.3:9870");
    conf.set("dfs.namenode.https-address.ns.a", "127.0.0.2:9871");
    // On the host of its RPC address.
    conf.set("dfs.namenode.https-address.ns.b", "0.0.0.0:9871");

    assertThat(new LiveCluster(conf).nameNodes())
        .map(Object::toString)
        .containsExactlyInAnyOrder("http://127.0.0.2:9870", "http://127.0.0.3:9870");

    conf.set("dfs.http.policy", "HTTPS_ONLY");
    assertThat(new LiveCluster(conf).nameNodes())
        .map(Object::toString)
        .containsExactlyInAnyOrder("https://127.0.0.2:9871", "https://localhost:9871");
  }

  @Test
  void addressesOfNameNodesThatAreNoneAreNotKnown() {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:rpc");

    assertThatThrownBy(() -> new LiveCluster(conf).nameNodes())
        .isInstanceOf(UnknownAddressException.class)
        .hasMessageContaining("where NameNodes are");
  }

  /** That a daemon runs is of no use then. */
  @Test
  void whoseAddressIsUnknownIsToBeCorrectedInTheConfiguration() {
    findings.unanswered("p", new UnknownAddressException("NameNodes", new RuntimeException("x")));
    findings.unanswered("p", new IOException("refused"));

    assertThat(findings.all())
        .satisfiesExactly(
            unknown -> assertThat(unknown.remedy()).startsWith("correct the addresses"),
            silent -> assertThat(silent.remedy()).startsWith("check that the daemon runs"));
  }

  /** Certificates and principals have the names of hosts and not their numbers. */
  @Test
  void dataNodesAreAskedByTheNamesOfTheirHosts() throws IOException {
    assertThat(cluster.dataNodes(URI.create("http://" + address())))
        .map(Object::toString)
        .containsExactly("http://" + address());

    Configuration conf = new Configuration();
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    assertThat(new LiveCluster(conf).dataNodes(URI.create("http://" + address())))
        .map(Object::toString)
        .containsExactly("https://127.0.0.1:9865");
  }

  @Test
  void theBroadcastCacheWorksWhereTheTrackerKnowsAllPeers() throws IOException {
    answers.put(TRACKER, bean("\"Peers\": 1, \"Enabled\": 1"));
    answers.put(PEER, bean("\"SwarmsJoined\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));

    new BroadcastProbe().ask(cluster, findings);

    assertThat(findings.all()).hasSize(2).allMatch(finding -> finding.level() == Level.OK);
  }

  @Test
  void aDataNodeWithoutACacheIsAProblem() throws IOException {
    answers.put(TRACKER, bean("\"Peers\": 1"));
    answers.put(PEER, bean("\"SwarmsJoined\": 0"));

    new BroadcastProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .contains("no peer and block cache on 1 of 1 DataNodes: 127.0.0.1");
    assertThat(texts(findings, Level.OK)).hasSize(1);
  }

  @Test
  void aTrackerThatKnowsTooFewPeersIsAProblem() throws IOException {
    answers.put(TRACKER, bean("\"Peers\": 0"));
    answers.put(PEER, bean("\"SwarmsJoined\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));

    new BroadcastProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .contains("knows 0 peers, of 1 DataNodes");
    assertThat(texts(findings, Level.OK)).hasSize(1);
  }

  @Test
  void aTrackerThatWasSwitchedOffIsAProblem() throws IOException {
    answers.put(TRACKER, bean("\"Peers\": 1, \"Enabled\": 0"));
    answers.put(PEER, bean("\"SwarmsJoined\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));

    new BroadcastProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .contains("is switched off");
    assertThat(texts(findings, Level.OK)).hasSize(1);
  }

  /** As where the port between DataNodes is shut. */
  @Test
  void swarmsOfWhichNoneComesWholeAreAProblem() throws IOException {
    answers.put(TRACKER, bean("\"Peers\": 1, \"Enabled\": 1"));
    answers.put(PEER, bean("\"SwarmsFailed\": 3, \"SwarmsCompleted\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));

    new BroadcastProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM))
        .singleElement()
        .asString()
        .contains("none came whole, and 3 were given up");

    answers.put(PEER, bean("\"SwarmsFailed\": 3, \"SwarmsCompleted\": 1"));
    Findings later = new Findings();
    new BroadcastProbe().ask(cluster, later);
    assertThat(later.exitStatus()).isZero();
  }

  @Test
  void connectionsThatAreLeftToHadoopsServiceAreAProblem() throws IOException {
    answers.put(SHUFFLE, bean("\"ConnectionsLeftToStock\": 4, \"RefusedFailed\": 1"));

    new ShuffleProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.PROBLEM))
        .satisfiesExactly(
            left -> assertThat(left).contains("have left 4 connections"),
            failed -> assertThat(failed).contains("ended 1 requests"));
  }

  @Test
  void theShuffleWorksWhereEveryNodeManagerHasItsService() throws IOException {
    answers.put(SHUFFLE, bean("\"SizesAnswered\": 0"));

    new ShuffleProbe().ask(cluster, findings);

    assertThat(only(Level.OK)).contains("weighted shuffle service on the one NodeManager");
  }

  @Test
  void aNodeManagerWithHadoopsServiceIsAProblem() throws IOException {
    new ShuffleProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("on 1 of 1 NodeManagers: 127.0.0.1");
  }

  @Test
  void aNodeManagerThatDoesNotAnswerIsNotKnown() throws IOException {
    answers.put(
        "/jmx?qry=Hadoop:service=ResourceManager,name=RMNMInfo",
        bean(
            "\"LiveNodeManagers\": \"[{\\\"HostName\\\":\\\"h\\\",\\\"NodeHTTPAddress\\\":\\\"127.0.0.1:1\\\"}]\""));

    new ShuffleProbe().ask(cluster, findings);

    assertThat(only(Level.UNKNOWN)).contains("no answer from 1 of 1 NodeManagers: 127.0.0.1:1");
    assertThat(findings.all().get(findings.all().size() - 1).remedy())
        .contains("; the first says: ")
        .contains("refused");
  }

  @Test
  void prefetchingWorksWhereTheSchedulerHearsOfAllDaemons() throws IOException {
    answers.put("/orchestra/prefetch", "{\"daemons\": [{\"host\": \"h\"}]}");
    answers.put(PREFETCH, bean("\"Started\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));

    new PrefetchProbe().ask(cluster, findings);

    assertThat(findings.all()).hasSize(2).allMatch(finding -> finding.level() == Level.OK);
  }

  @Test
  void aSchedulerThatHeardOfNoJobIsNotedAndOneThatFailedIsAProblem() throws IOException {
    answers.put("/orchestra/prefetch", "{\"daemons\": [{\"host\": \"h\"}]}");
    answers.put(PREFETCH, bean("\"Started\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));
    answers.put(PREDICTION, bean("\"JobsHeard\": 0, \"Failures\": 0"));

    new PrefetchProbe().ask(cluster, findings);

    assertThat(findings.exitStatus()).isZero();
    assertThat(texts(findings, Level.NOTE))
        .singleElement()
        .asString()
        .contains("no application master has told");

    answers.put(PREDICTION, bean("\"JobsHeard\": 1, \"Failures\": 5"));
    Findings later = new Findings();
    new PrefetchProbe().ask(cluster, later);
    assertThat(texts(later, Level.NOTE)).isEmpty();
    assertThat(texts(later, Level.PROBLEM))
        .singleElement()
        .asString()
        .contains("have failed 5 times");
  }

  @Test
  void aResourceManagerWithTheFairSchedulerIsAProblem() throws IOException {
    new PrefetchProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM))
        .contains("foretells nothing")
        .contains("no prefetch daemon and block cache on 1 of 1 DataNodes");
  }

  /** What it would do after a restart is not what its administrator wants. */
  @Test
  void aResourceManagerWithAnotherSchedulerIsNotToBeRestarted() throws IOException {
    answers.put(
        "/conf?name=yarn.resourcemanager.scheduler.class",
        policy(
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"));

    new PrefetchProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM))
        .contains("schedules with org.apache")
        .contains("CapacityScheduler");
    assertThat(findings.all())
        .extracting(Finding::remedy)
        .anyMatch(remedy -> remedy.contains("Another scheduler"))
        .noneMatch(remedy -> remedy.contains("restart it with"));
  }

  @Test
  void daemonsThatDoNotPollAreAProblem() throws IOException {
    answers.put("/orchestra/prefetch", "{\"daemons\": []}");

    new PrefetchProbe().ask(cluster, findings);

    assertThat(only(Level.PROBLEM)).contains("0 daemons poll").contains("of 1 DataNodes");
  }

  @Test
  void aStandbyIsNotAskedForWhatOnlyTheActiveKnows() throws IOException {
    answers.put(MANAGER, bean("\"State\": \"standby\""));
    answers.put(PREFETCH, bean("\"Started\": 0"));
    answers.put(CACHE, bean("\"Hits\": 0"));

    new PrefetchProbe().ask(cluster, findings);

    assertThat(texts(findings, Level.UNKNOWN)).singleElement().asString().contains("is active");
    assertThat(texts(findings, Level.OK))
        .singleElement()
        .asString()
        .contains("prefetch daemon and block cache on the one DataNode");
    assertThat(texts(findings, Level.PROBLEM)).isEmpty();
  }

  @Test
  void ofAPairOfResourceManagersTheActiveIsFoundThoughTheOtherIsDown() throws IOException {
    Configuration conf = pair();
    conf.set("yarn.resourcemanager.webapp.address.a", "127.0.0.1:1");
    conf.set("yarn.resourcemanager.webapp.address.b", address());

    assertThat(new LiveCluster(conf).activeResourceManager()).hasToString("http://" + address());
  }

  /** As ResourceManagers read it themselves. */
  @Test
  void theAddressesOfAPairFollowFromTheirHosts() throws IOException {
    Configuration conf = pair();
    conf.set("yarn.resourcemanager.hostname.a", "one");
    conf.set("yarn.resourcemanager.hostname.b", "two");
    // As on the host of one of them.
    conf.set("yarn.resourcemanager.ha.id", "a");

    assertThat(ResourceManagers.webAddresses(conf))
        .map(Object::toString)
        .containsExactly("http://one:8088", "http://two:8088");

    conf.set("yarn.http.policy", "HTTPS_ONLY");
    assertThat(ResourceManagers.webAddresses(conf))
        .map(Object::toString)
        .containsExactly("https://one:8090", "https://two:8090");
  }

  @Test
  void aPairWithoutAddressesIsNotKnown() {
    assertThatThrownBy(() -> ResourceManagers.webAddresses(pair()))
        .isInstanceOf(UnknownAddressException.class)
        .hasMessageContaining("where ResourceManagers are");
  }

  private String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private static Configuration nameNodes() {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://ns");
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "a,b");
    conf.set("dfs.namenode.rpc-address.ns.a", "localhost:8020");
    conf.set("dfs.namenode.rpc-address.ns.b", "localhost:8021");
    return conf;
  }

  private static String policy(String name) {
    return "{\"property\": {\"key\": \"dfs.block.replicator.classname\", \"value\": \"%s\"}}"
        .formatted(name);
  }

  private static Configuration pair() {
    Configuration conf = new Configuration();
    conf.set("yarn.resourcemanager.ha.enabled", "true");
    conf.set("yarn.resourcemanager.ha.rm-ids", "a, b");
    return conf;
  }

  /** What was found, all of it of one level. */
  private String only(Level level) {
    assertThat(findings.all()).isNotEmpty().allMatch(finding -> finding.level() == level);
    return String.join("\n", texts(findings, level));
  }

  private static String bean(String attributes) {
    return "{\"beans\": [{%s}]}".formatted(attributes);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String asked = URLDecoder.decode(exchange.getRequestURI().toString(), StandardCharsets.UTF_8);
    String answer = answers.get(asked);
    if (answer == null && asked.startsWith("/jmx")) {
      answer = "{\"beans\": []}";
    }
    byte[] bytes = (answer == null ? "" : answer).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer == null ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }
}
