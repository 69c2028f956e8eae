package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.security.AccessControlException;

/** The NameNode's own check of the caller, which is visible only in this package. */
public final class SuperuserCheck {
  private SuperuserCheck() {}

  /**
   * @throws AccessControlException if the user of the RPC call under way is no superuser of HDFS
   */
  public static void verify(FSNamesystem namesystem) throws AccessControlException {
    namesystem.checkSuperuserPrivilege();
  }
}
