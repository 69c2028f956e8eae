/** Puts our jars into a Hadoop home and takes them out. Needs no class of Hadoop. */
package io.orchestra.hadoop.operator.install;
