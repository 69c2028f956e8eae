package io.orchestra.hadoop.prefetch.algorithm.completion;

/**
 * How a map went that has finished.
 *
 * @param alpha seconds per byte from the first bytes it told of to the last, stops and all
 * @param tail seconds between the end of its input and its end
 */
record Course(double alpha, double tail) {}
