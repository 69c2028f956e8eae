/**
 * Network-aware replica placement (Chowdhury et al., <i>Leveraging Endpoint Flexibility in
 * Data-Intensive Clusters</i>, SIGCOMM 2013), without Hadoop: the simulator and the NameNode run
 * the same classes.
 */
package io.orchestra.hadoop.placement.algorithm;
