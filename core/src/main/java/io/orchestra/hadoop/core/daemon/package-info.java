/** How parts of ours live inside Hadoop's daemons. */
package io.orchestra.hadoop.core.daemon;
