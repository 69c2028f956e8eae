/** {@code orchestra bench broadcast}: how fast many hosts have the same file. */
package io.orchestra.hadoop.testbed.bench.broadcast;
