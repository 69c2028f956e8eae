/**
 * WSS (Orchestra, section 6.3) without a controller: each reducer decides alone how many lanes it
 * has, which sender a free one fetches from, and how much. Pure: no Hadoop, no clock, no threads,
 * no chance but what is handed in.
 */
package io.orchestra.hadoop.shuffle.algorithm;
