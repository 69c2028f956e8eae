package io.orchestra.hadoop.testbed.hadoop;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.Account;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The daemons of a stock cluster: their programs, users and sizes. */
public enum Daemon {
  NAMENODE(
      "org.apache.hadoop.hdfs.server.namenode.NameNode",
      Account.HDFS,
      Optional.of(Role.NAMENODE),
      400,
      9870,
      9871),
  DATANODE(
      "org.apache.hadoop.hdfs.server.datanode.DataNode",
      Account.HDFS,
      Optional.of(Role.DATANODE),
      200,
      9864,
      9865),
  RESOURCEMANAGER(
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
      Account.YARN,
      Optional.of(Role.RESOURCEMANAGER),
      400,
      8088,
      8088),
  NODEMANAGER(
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager",
      Account.YARN,
      Optional.of(Role.NODEMANAGER),
      200,
      8042,
      8042),
  HISTORYSERVER(
      "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer",
      Account.MAPRED,
      Optional.empty(),
      200,
      19888,
      19888);

  private final String mainClass;
  private final Account user;
  private final Optional<Role> role;
  private final int heapMegabytes;
  private final int webPort;
  private final int secureWebPort;

  Daemon(
      String mainClass,
      Account user,
      Optional<Role> role,
      int heapMegabytes,
      int webPort,
      int secureWebPort) {
    this.mainClass = mainClass;
    this.user = user;
    this.role = role;
    this.heapMegabytes = heapMegabytes;
    this.webPort = webPort;
    this.secureWebPort = secureWebPort;
  }

  public static Daemon named(String name) {
    return Arrays.stream(values())
        .filter(daemon -> daemon.daemonName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TestbedException(
                    "'"
                        + name
                        + "' is not a daemon: use one of "
                        + Arrays.stream(values())
                            .map(Daemon::daemonName)
                            .collect(Collectors.joining(", "))));
  }

  public String daemonName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String mainClass() {
    return mainClass;
  }

  public Account user() {
    return user;
  }

  /** Whose jars of ours it loads, if any. */
  public Optional<Role> role() {
    return role;
  }

  public int heapMegabytes() {
    return heapMegabytes;
  }

  /**
   * The address of its web server on a host, such as {@code http://m1:9870}.
   *
   * @param kerberos whether the cluster has it: HDFS's daemons then answer HTTPS alone, on a port
   *     of its own
   */
  public String webAddress(String host, boolean kerberos) {
    return kerberos && secureWebPort != webPort
        ? "https://" + host + ":" + secureWebPort
        : "http://" + host + ":" + webPort;
  }

  /** A word of its command line that tells it from every other daemon; Hadoop's scripts use it. */
  public String marker() {
    return "-Dproc_" + daemonName();
  }
}
