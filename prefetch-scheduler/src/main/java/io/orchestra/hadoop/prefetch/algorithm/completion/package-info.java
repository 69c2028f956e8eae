/** When running map tasks end (FlexFetch, section III-A). */
package io.orchestra.hadoop.prefetch.algorithm.completion;
