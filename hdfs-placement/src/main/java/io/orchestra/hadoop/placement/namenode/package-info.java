/**
 * Sinbad inside the NameNode: takes reports in, keeps the snapshot of the links, chooses, explains.
 */
package io.orchestra.hadoop.placement.namenode;
