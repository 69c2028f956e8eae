/**
 * HDFS blocks beside the DataNode: a store of whole or filling blocks, a Unix domain socket through
 * which HDFS clients of the same host read them, and the client's end of it.
 *
 * <p>Plugins bring blocks in as {@link io.orchestra.hadoop.core.blockcache.Filler}s and know
 * nothing of each other. Whatever is not here is read from HDFS as if nobody had asked.
 */
package io.orchestra.hadoop.core.blockcache;
