package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Role;
import java.nio.file.Path;

/** The directory of one cluster: what is where in it. */
public record ClusterDirectory(Path root) {
  /** The name, below a host's own directory, of the one for sockets of its HDFS daemons. */
  static final String SOCKETS = "run";

  public Path state() {
    return root.resolve("state.json");
  }

  /** What hosts see in place of the machine's own: a copy of it with other users and host names. */
  public Path etc() {
    return root.resolve("etc");
  }

  /** Hadoop's configuration, the same for every process that has none of its kind. */
  public Path configuration() {
    return root.resolve("conf");
  }

  /** Site files that daemons of one kind have instead, if it is there. */
  Path configuration(Daemon daemon) {
    return root.resolve("conf-" + daemon.daemonName());
  }

  ProgramClasses programClasses(HadoopHome hadoop) {
    return new ProgramClasses(root, hadoop);
  }

  /** Our jars for one kind of Hadoop process. */
  public Path jars(Role role) {
    return root.resolve("orchestra").resolve(role.directoryName());
  }

  /** The class that NodeManagers have in place of Hadoop's, on clusters with Kerberos. */
  public Path secureIo() {
    return root.resolve("orchestra").resolve("secure-io");
  }

  /** The jars of this very command, for programs of ours on hosts. */
  public Path commandJars() {
    return root.resolve("orchestra").resolve("command");
  }

  /** A file system that both masters of a highly available cluster share. */
  public Path shared() {
    return root.resolve("shared");
  }

  /** What the host itself sees at the mount point. */
  public Path host(String name) {
    return root.resolve("hosts").resolve(name);
  }

  /** Sockets of a host's HDFS daemons. */
  public Path sockets(String host) {
    return host(host).resolve(SOCKETS);
  }

  public Path logs(String host) {
    return host(host).resolve("logs");
  }

  public Path log(String host, Daemon daemon) {
    return logs(host).resolve(daemon.daemonName() + ".log");
  }
}
