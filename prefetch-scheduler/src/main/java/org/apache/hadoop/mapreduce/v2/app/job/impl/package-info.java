/**
 * A bridge to package-private members of MapReduce's application master, and no more than that;
 * whoever uses it explains why.
 */
package org.apache.hadoop.mapreduce.v2.app.job.impl;
