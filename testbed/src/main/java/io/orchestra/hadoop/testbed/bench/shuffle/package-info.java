/** Weighted shuffles beside Hadoop's, in real jobs whose maps have what a pattern says. */
package io.orchestra.hadoop.testbed.bench.shuffle;
