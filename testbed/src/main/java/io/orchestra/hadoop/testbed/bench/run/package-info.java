/** Running the trials of a benchmark in their order. */
package io.orchestra.hadoop.testbed.bench.run;
