/**
 * Sinbad: replicas go behind idle links. The classes an operator names in {@code hdfs-site.xml},
 * and their settings.
 */
package io.orchestra.hadoop.placement;
