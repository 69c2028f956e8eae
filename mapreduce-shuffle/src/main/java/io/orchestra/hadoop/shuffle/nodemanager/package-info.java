/**
 * The server's side, in NodeManagers: it answers the requests of {@link
 * io.orchestra.hadoop.shuffle.rpc} on the connections of Hadoop's shuffle service.
 */
package io.orchestra.hadoop.shuffle.nodemanager;
