/**
 * A bridge to members of the shuffle server that are visible only in this package. No logic lives
 * here.
 */
package org.apache.hadoop.mapred;
