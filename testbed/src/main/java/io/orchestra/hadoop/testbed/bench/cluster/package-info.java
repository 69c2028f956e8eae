/** What benchmarks on an emulated cluster have in common: programs on its hosts, and its links. */
package io.orchestra.hadoop.testbed.bench.cluster;
