/** Which prefetches get a rate, and which are given up (FlexFetch, sections III-B and IV-A). */
package io.orchestra.hadoop.prefetch.algorithm.flow;
