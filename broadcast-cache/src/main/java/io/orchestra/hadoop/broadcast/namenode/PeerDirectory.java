package io.orchestra.hadoop.broadcast.namenode;

import java.util.Optional;

/** Where HDFS says a DataNode is. */
@FunctionalInterface
interface PeerDirectory {
  /**
   * @param datanode UUID
   * @param port its peer's
   * @return empty if HDFS does not know the DataNode, or thinks it is dead
   */
  Optional<TrackedPeer> find(String datanode, int port);
}
