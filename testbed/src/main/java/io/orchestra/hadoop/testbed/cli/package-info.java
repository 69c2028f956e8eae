/** The orchestra command line. */
package io.orchestra.hadoop.testbed.cli;
