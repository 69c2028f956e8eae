package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** A DataNode that has registered, and has neither disks nor ports nor connections. */
public final class IdleDataNode extends DataNode {
  public IdleDataNode(Configuration conf) throws IOException {
    super(conf);
    threadGroup = new ThreadGroup("connections");
  }

  @Override
  public String getDatanodeUuid() {
    return "uuid-1";
  }
}
