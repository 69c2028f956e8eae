/**
 * FlexFetch (Yu et al., "Taming Non-local Stragglers using Efficient Prefetching in MapReduce"): a
 * scheduler that runs ahead of itself, so that the block of a task that will not be local is there
 * before the task. Here are the classes an operator names in XML, and the settings.
 */
package io.orchestra.hadoop.prefetch;
