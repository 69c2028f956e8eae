/** Stock Hadoop: its files on disk, its settings, its daemons and its client programs. */
package io.orchestra.hadoop.testbed.hadoop;
