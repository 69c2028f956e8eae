package io.orchestra.hadoop.broadcast.namenode;

/**
 * A peer that is there.
 *
 * @param datanode UUID of the DataNode it lives in
 * @param host address, as HDFS knows it
 * @param rack network location, as HDFS knows it
 */
record TrackedPeer(String datanode, String host, int port, String rack) {}
