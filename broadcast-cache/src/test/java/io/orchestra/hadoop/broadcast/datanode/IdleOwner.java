package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.Replica;
import java.time.Duration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Does nothing for its downloads: they have no neighbours and no replicas. */
abstract class IdleOwner implements DownloadOwner {
  @Override
  public void connect(Download download, Introduction to) {}

  @Override
  public boolean isBanned(String datanode) {
    return false;
  }

  @Override
  public void ban(String datanode) {}

  @Override
  public void readPlainly(Download download) {}

  @Override
  public Replica replica(DatanodeID holder, ExtendedBlock block, Duration patience) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void arriving(int bytes) {}

  @Override
  public void fruitful() {}
}
