/** The prefetch scheduler beside stock Hadoop. */
package io.orchestra.hadoop.testbed.bench.prefetch;
