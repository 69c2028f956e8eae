/** An emulated, racked cluster of stock Hadoop on one machine. */
package io.orchestra.hadoop.testbed;
