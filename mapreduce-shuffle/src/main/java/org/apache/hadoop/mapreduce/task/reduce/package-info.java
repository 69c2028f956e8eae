/** A bridge to members of Hadoop's shuffle that are visible only in this package. */
package org.apache.hadoop.mapreduce.task.reduce;
