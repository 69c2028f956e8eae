/** Sinbad inside a DataNode: measures its link and reports it to every NameNode. */
package io.orchestra.hadoop.placement.datanode;
