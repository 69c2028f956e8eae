/** In a DataNode: brings blocks into its block cache before their tasks read them. */
package io.orchestra.hadoop.prefetch.datanode;
