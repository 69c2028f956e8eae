package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.Replica;
import java.time.Duration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Who began a {@link Download}. */
interface DownloadOwner {
  /**
   * Opens a connection on a thread of its own: it becomes one of the download's {@linkplain
   * Download#acquaintances acquaintances}, and {@link Download#left} is called when it has ended.
   */
  void connect(Download download, Introduction to);

  /**
   * Whether a peer is not to be asked, whatever the file.
   *
   * @param datanode UUID
   */
  boolean isBanned(String datanode);

  /** A peer has sent a wrong piece, of which the right one is here. */
  void ban(String datanode);

  /** Runs its {@link Download#plainReads} on a thread of their own. */
  void readPlainly(Download download);

  /**
   * Nothing is asked yet.
   *
   * @param patience of each step
   */
  Replica replica(DatanodeID holder, ExtendedBlock block, Duration patience);

  /** So many bytes have come, wherever from. */
  void arriving(int bytes);

  /** A neighbour has sent a piece of the file. */
  void fruitful();

  /**
   * The file is here, or will not be.
   *
   * @param fruitless whether no neighbour has sent any of it, though none said that he has nothing
   */
  void ended(Download download, boolean whole, boolean fruitless);
}
