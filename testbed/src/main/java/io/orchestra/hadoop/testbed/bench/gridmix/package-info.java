/** GridMix with each plugin, and with all of them, beside stock Hadoop. */
package io.orchestra.hadoop.testbed.bench.gridmix;
