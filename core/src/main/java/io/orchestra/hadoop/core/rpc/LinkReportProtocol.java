package io.orchestra.hadoop.core.rpc;

import java.io.IOException;
import org.apache.hadoop.security.KerberosInfo;

/**
 * A reporter in a DataNode tells a collector in a NameNode how busy its link is.
 *
 * <p>With Kerberos both sides log in as the daemons they live in; the access control list is
 * {@value #ACL_KEY} in {@code hadoop-policy.xml}.
 */
@KerberosInfo(
    serverPrincipal = LinkReportProtocol.SERVER_PRINCIPAL_KEY,
    clientPrincipal = LinkReportProtocol.CLIENT_PRINCIPAL_KEY)
public interface LinkReportProtocol {
  String SERVER_PRINCIPAL_KEY = "dfs.namenode.kerberos.principal";
  String CLIENT_PRINCIPAL_KEY = "dfs.datanode.kerberos.principal";
  String ACL_KEY = "security.orchestra.link.report.protocol.acl";

  /**
   * Blocks being received in one report. Far more than a DataNode has threads
   * (dfs.datanode.max.transfer.threads, 4096).
   */
  int MOST_SOURCES = 65_536;

  /** Characters of the address that one of them comes from. */
  int LONGEST_SOURCE = 64;

  /**
   * @return false if the collector does not believe the report, and dropped it
   */
  boolean report(LinkReport report) throws IOException;
}
