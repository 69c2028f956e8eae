/** FlexFetch in a MapReduce application master: what its maps do, told to the ResourceManager. */
package io.orchestra.hadoop.prefetch.appmaster;
