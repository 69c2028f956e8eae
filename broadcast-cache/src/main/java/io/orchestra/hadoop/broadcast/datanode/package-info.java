/**
 * The peer in a DataNode: what this host has of files, what it serves to others, and what it
 * fetches for its own localizers.
 */
package io.orchestra.hadoop.broadcast.datanode;
