/**
 * A model of the Fair Scheduler and of MapReduce's application masters that can run ahead of the
 * real ones (FlexFetch, section III-A: speculative scheduling).
 */
package io.orchestra.hadoop.prefetch.algorithm.shadow;
