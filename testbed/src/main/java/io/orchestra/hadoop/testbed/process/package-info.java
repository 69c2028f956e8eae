/** Running other programs, and looking at the processes of this machine. */
package io.orchestra.hadoop.testbed.process;
