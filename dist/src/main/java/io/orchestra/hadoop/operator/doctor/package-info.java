/**
 * Looks for what is wrong with an installation. Runs on the jars of the Hadoop that it looks at.
 */
package io.orchestra.hadoop.operator.doctor;
