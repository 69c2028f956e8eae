/** One emulated cluster: what it is made of, how it starts, breaks and goes away. */
package io.orchestra.hadoop.testbed.cluster;
