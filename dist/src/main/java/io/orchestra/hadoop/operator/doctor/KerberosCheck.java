package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.Site;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;

/** What plugins need besides where Kerberos is on, without which parts of them do nothing. */
final class KerberosCheck {
  private static final String DATANODES = "dfs.datanode.kerberos.principal";
  private static final String RESOURCEMANAGERS = "yarn.resourcemanager.principal";

  private final ProgramConfigurations configurations;
  private final Findings findings;

  KerberosCheck(ProgramConfigurations configurations, Findings findings) {
    this.configurations = configurations;
    this.findings = findings;
  }

  /**
   * @param on plugins that are
   * @param programs of this host
   */
  void run(Collection<Plugin> on, Set<Program> programs) {
    if (on.contains(Plugins.BROADCAST) && isOn(Program.DATANODE, programs)) {
      transfers();
    }
    if (on.contains(Plugins.PREFETCH) && isOn(Program.DATANODE, programs)) {
      principal(Program.DATANODE, Site.YARN, RESOURCEMANAGERS);
    }
    if (on.contains(Plugins.PREFETCH) && isOn(Program.RESOURCEMANAGER, programs)) {
      principal(Program.RESOURCEMANAGER, Site.HDFS, DATANODES);
      privacy();
    }
  }

  private boolean isOn(Program program, Set<Program> programs) {
    return programs.contains(program)
        && "kerberos".equalsIgnoreCase(read(program, "hadoop.security.authentication"));
  }

  /** As PeerHandshake has it. */
  private void transfers() {
    if (read(Program.DATANODE, "dfs.data.transfer.protection").isEmpty()
        && !configurations.of(Program.DATANODE).getBoolean("dfs.encrypt.data.transfer", false)) {
      findings.problem(
          "broadcast-cache: with Kerberos DataNodes have no peers unless HDFS's data transfers are protected",
          "set dfs.data.transfer.protection, or dfs.encrypt.data.transfer, in hdfs-site.xml of all DataNodes and clients");
    }
  }

  /** Programs of ours read this file too, where it is there. */
  private void principal(Program program, Site also, String key) {
    if (read(program, key).isEmpty()
        && configurations.in(also).getOrDefault(key, "").strip().isEmpty()) {
      findings.problem(
          "prefetch-scheduler: the %s does not know %s, and with Kerberos no DataNode is heard then"
              .formatted(program.role().title(), key),
          "set it in core-site.xml of this host, to the value that it has on the hosts that use it");
    }
  }

  private void privacy() {
    String[] allowed =
        configurations
            .of(Program.RESOURCEMANAGER)
            .getTrimmedStrings("hadoop.rpc.protection", "authentication");
    if (!Arrays.stream(allowed).allMatch("privacy"::equalsIgnoreCase)) {
      findings.note(
          "prefetch-scheduler: application masters and DataNodes tell the ResourceManager block tokens, which are not"
              + " encrypted, or not always",
          "set hadoop.rpc.protection to privacy alone, in core-site.xml");
    }
  }

  private String read(Program program, String key) {
    return configurations.of(program).getTrimmed(key, "");
  }
}
