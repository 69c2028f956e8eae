package io.orchestra.hadoop.testbed.bench.placement;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.agent.MasterAgent;
import io.orchestra.hadoop.testbed.agent.TrafficSource;
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

/** The programs of this benchmark on the hosts of a cluster. */
final class Agents implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final int HEAP_MEGABYTES = 96;

  private final Map<String, HostProgram> workers = new LinkedHashMap<>();
  private HostProgram master;
  private HostProgram source;
  private String clientJar = "";

  static Agents start(Cluster cluster) {
    Agents agents = new Agents();
    try {
      Host first = cluster.plan().masters().get(0);
      agents.master = program(cluster, first, Account.HDFS, "bench-master", MasterAgent.class);
      agents.source = program(cluster, first, Account.ALICE, "bench-traffic", TrafficSource.class);
      for (Host worker : cluster.plan().workers()) {
        agents.workers.put(
            worker.name(),
            program(cluster, worker, Account.ALICE, "bench-worker", WorkerAgent.class));
      }
      for (HostProgram worker : agents.workers.values()) {
        agents.clientJar = expect("ready ", worker.receive(LONGEST_START));
      }
      expect("ready", agents.master.receive(LONGEST_START));
      return agents;
    } catch (RuntimeException | Error failure) {
      agents.close();
      throw failure;
    }
  }

  private static HostProgram program(
      Cluster cluster, Host host, Account user, String name, Class<?> main) {
    return new HadoopClient(cluster, host, Optional.of(user))
        .start(name, main, HEAP_MEGABYTES, List.of());
  }

  /** The jar from which the writers have HDFS's client. */
  String clientJar() {
    return clientJar;
  }

  HostProgram worker(String host) {
    return workers.get(host);
  }

  Map<String, HostProgram> workers() {
    return workers;
  }

  HostProgram source() {
    return source;
  }

  /** Has the master's program do something; returns what it answers after {@code expected}. */
  String master(String line, String expected, Duration limit) {
    master.send(line);
    return expect(expected, master.receive(limit));
  }

  /** Splits {@code NAME=VALUE …}. */
  static Map<String, String> pairs(String words) {
    return Splitter.on(' ').omitEmptyStrings().withKeyValueSeparator('=').split(words.strip());
  }

  static String expect(String prefix, String answer) {
    if (!answer.startsWith(prefix)) {
      throw new TestbedException("expected '" + prefix + "', heard '" + answer + "'");
    }
    return answer.substring(prefix.length());
  }

  @Override
  public void close() {
    workers.values().forEach(HostProgram::close);
    if (source != null) {
      source.close();
    }
    if (master != null) {
      master.close();
    }
  }
}
