/**
 * FlexFetch's decisions: when running tasks end ({@code completion}), what the scheduler does then
 * ({@code shadow}), and which prefetches the network can carry ({@code flow}). Pure: no Hadoop, no
 * clock, no threads, no chance but what is handed in.
 */
package io.orchestra.hadoop.prefetch.algorithm;
