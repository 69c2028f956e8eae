package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.agent.KeyDistributionCenter;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.files.LogTail;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Starts the KDC of a cluster on its first master, and gives each host the keytabs of those who run
 * there: each readable for its owner alone, that of the web servers for all daemons.
 */
final class KeyDistribution {
  private static final int LONGEST_SECONDS = 60;

  /** Kerby keeps, for each principal that has logged in, the buffer of a request: 4 MB. */
  private static final int HEAP_MEGABYTES = 512;

  private static final List<Account> DAEMONS = List.of(Account.HDFS, Account.YARN, Account.MAPRED);
  private static final List<Account> PEOPLE = List.of(Account.ALICE, Account.BOB);

  private final Cluster cluster;
  private final Kerberos kerberos;
  private final Host master;

  KeyDistribution(Cluster cluster) {
    this.cluster = cluster;
    this.kerberos = cluster.kerberos().orElseThrow();
    this.master = cluster.plan().firstMaster();
  }

  /** Returns once the KDC serves and all keytabs are there. */
  void start() {
    Path work =
        FileTree.directory(cluster.directory().host(master.name()).resolve("kdc"), "rwx------");
    for (Host host : cluster.plan().hosts()) {
      FileTree.directory(kerberos.keytabs(host), "rwx------");
    }
    Path ready = work.resolve(KeyDistributionCenter.READY);
    launch(work);
    Path log = log();
    try {
      Waiting.until(() -> Files.exists(ready), "the KDC", LONGEST_SECONDS);
    } catch (TestbedException e) {
      throw new TestbedException(e.getMessage() + ":\n" + LogTail.of(log), e);
    }
    for (Host host : cluster.plan().hosts()) {
      giveAway(host);
    }
  }

  private Path log() {
    return cluster.directory().logs(master.name()).resolve("kdc.log");
  }

  private void launch(Path work) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                Kerberos.REALM,
                master.address(),
                Integer.toString(SecurityFiles.KDC_PORT),
                work.toString()));
    for (Host host : cluster.plan().hosts()) {
      for (Account account : DAEMONS) {
        String name = account.userName();
        arguments.add(keytab(host, name, Kerberos.principal(name), Kerberos.service(name, host)));
      }
      for (Account account : PEOPLE) {
        arguments.add(keytab(host, account.userName(), Kerberos.principal(account.userName())));
      }
      arguments.add(keytab(host, Kerberos.HTTP, Kerberos.service(Kerberos.HTTP, host)));
    }
    HostShell shell = cluster.shell(master);
    int status =
        Command.of(
                shell.background(
                    Optional.empty(),
                    cluster
                        .programs()
                        .ours(KeyDistributionCenter.class.getName(), HEAP_MEGABYTES, arguments)))
            .named("the KDC on " + master.name())
            .withOnly(shell.environment(Optional.empty()))
            .run(log());
    if (status != 0) {
      throw new TestbedException("the KDC did not start:\n" + LogTail.of(log()));
    }
  }

  private String keytab(Host host, String owner, String... principals) {
    return file(host, owner) + "=" + String.join(",", ImmutableList.copyOf(principals));
  }

  private Path file(Host host, String owner) {
    return kerberos.keytabs(host).resolve(kerberos.keytab(owner).getFileName());
  }

  private void giveAway(Host host) {
    for (Account account : Account.values()) {
      Path file = file(host, account.userName());
      FileTree.permit(file, "r--------");
      FileTree.own(file, account.number(), account.group().number());
    }
    Path http = file(host, Kerberos.HTTP);
    FileTree.permit(http, "r--r-----");
    FileTree.own(http, 0, Account.Group.HADOOP.number());
    FileTree.permit(kerberos.keytabs(host), "rwxr-xr-x");
  }
}
