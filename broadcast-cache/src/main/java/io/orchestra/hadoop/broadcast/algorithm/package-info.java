/**
 * Cornet's decisions: which piece to ask of whom, who is whose neighbour, which hosts share a rack.
 * Pure: no Hadoop, no clock, no threads, no chance but what is handed in.
 */
package io.orchestra.hadoop.broadcast.algorithm;
