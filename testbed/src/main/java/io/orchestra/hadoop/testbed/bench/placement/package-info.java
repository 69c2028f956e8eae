/** {@code orchestra bench placement}: how fast blocks are written when some links are busy. */
package io.orchestra.hadoop.testbed.bench.placement;
