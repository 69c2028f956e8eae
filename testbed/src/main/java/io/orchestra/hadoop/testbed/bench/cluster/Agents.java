package io.orchestra.hadoop.testbed.bench.cluster;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.agent.MasterAgent;
import io.orchestra.hadoop.testbed.agent.WorkerAgent;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Host;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The programs of a benchmark on the hosts of a cluster: one on the master, one on each worker. */
public final class Agents implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final int HEAP_MEGABYTES = 96;

  private final Cluster cluster;
  private final Map<String, HostProgram> workers = new LinkedHashMap<>();
  private HostProgram master;
  private String clientJar = "";

  private Agents(Cluster cluster) {
    this.cluster = cluster;
  }

  static Agents start(Cluster cluster) {
    return Opened.prepared(new Agents(cluster), agents -> agents.start());
  }

  private void start() {
    master = program(firstMaster(), Account.HDFS, "bench-master", MasterAgent.class);
    for (Host worker : cluster.plan().workers()) {
      workers.put(worker.name(), program(worker, Account.ALICE, "bench-worker", WorkerAgent.class));
    }
    for (HostProgram worker : workers.values()) {
      clientJar = expect("ready ", worker.receive(LONGEST_START));
    }
    String unused = expect("ready", master.receive(LONGEST_START));
  }

  private Host firstMaster() {
    return cluster.plan().firstMaster();
  }

  /** Starts one more program of ours on the first master; the caller closes it. */
  public HostProgram onMaster(Account user, String name, Class<?> main) {
    return program(firstMaster(), user, name, main);
  }

  private HostProgram program(Host host, Account user, String name, Class<?> main) {
    return new HadoopClient(cluster, host, Optional.of(user))
        .start(name, main, HEAP_MEGABYTES, List.of());
  }

  /** The jar from which the workers' programs have HDFS's client. */
  public String clientJar() {
    return clientJar;
  }

  public HostProgram worker(String host) {
    return workers.get(host);
  }

  public Map<String, HostProgram> workers() {
    return workers;
  }

  /** Has the master's program do something; returns what it answers after {@code expected}. */
  public String master(String line, String expected, Duration limit) {
    master.send(line);
    return expect(expected, master.receive(limit));
  }

  /**
   * Has the programs on some hosts do something, all at once; returns what each answers after
   * {@code expected}, in the order of the hosts.
   */
  public Map<String, String> all(List<String> hosts, String line, String expected, Duration limit) {
    hosts.forEach(host -> worker(host).send(line));
    Map<String, String> answers = new LinkedHashMap<>();
    hosts.forEach(host -> answers.put(host, expect(expected, worker(host).receive(limit))));
    return answers;
  }

  /** Splits {@code NAME=VALUE …}. */
  public static Map<String, String> pairs(String words) {
    return Splitter.on(' ').omitEmptyStrings().withKeyValueSeparator('=').split(words.strip());
  }

  /** What follows in an answer; fails if it begins otherwise. */
  public static String expect(String prefix, String answer) {
    if (!answer.startsWith(prefix)) {
      throw new TestbedException("expected '" + prefix + "', heard '" + answer + "'");
    }
    return answer.substring(prefix.length());
  }

  @Override
  public void close() {
    // They end at the same time, not each while the next one waits.
    workers.values().forEach(HostProgram::endInput);
    workers.values().forEach(HostProgram::close);
    if (master != null) {
      master.close();
    }
  }
}
