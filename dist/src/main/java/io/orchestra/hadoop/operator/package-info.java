/**
 * The commands of those who run a Hadoop cluster. They run on the operator's machine, not in
 * Hadoop's processes, and need neither Maven nor the testbed.
 */
package io.orchestra.hadoop.operator;
