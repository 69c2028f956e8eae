/**
 * A bridge to members of the DataNode that are visible only in this package. No logic lives here.
 */
package org.apache.hadoop.hdfs.server.datanode;
