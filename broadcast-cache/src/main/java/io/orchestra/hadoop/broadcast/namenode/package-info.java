/**
 * The tracker in a NameNode: who has what of which file, and whom a receiver is to ask. Soft state:
 * after a restart or failover the peers tell it again.
 */
package io.orchestra.hadoop.broadcast.namenode;
