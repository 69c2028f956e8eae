/**
 * Programs of benchmarks that run on emulated hosts, with Hadoop's clients as they are. Told what
 * to do line by line on standard input; they answer on standard output and end with their input.
 */
package io.orchestra.hadoop.testbed.agent;
