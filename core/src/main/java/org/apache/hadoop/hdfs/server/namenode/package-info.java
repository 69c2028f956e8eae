/**
 * A bridge to members of the NameNode that are visible only in this package. No logic lives here.
 */
package org.apache.hadoop.hdfs.server.namenode;
