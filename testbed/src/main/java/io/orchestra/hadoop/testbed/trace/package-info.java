/** Traces of jobs, as Hadoop's Rumen writes them and GridMix replays them. */
package io.orchestra.hadoop.testbed.trace;
