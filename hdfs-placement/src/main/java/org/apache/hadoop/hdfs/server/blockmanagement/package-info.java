/**
 * A bridge to members of HDFS's block placement that are visible only in this package. No logic
 * lives here.
 */
package org.apache.hadoop.hdfs.server.blockmanagement;
