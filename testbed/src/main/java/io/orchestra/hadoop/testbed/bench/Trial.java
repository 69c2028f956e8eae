package io.orchestra.hadoop.testbed.bench;

/**
 * One measurement of one arm.
 *
 * @param repetition from 1; warm-ups count for themselves
 * @param seed the same for all arms of a repetition, another one in each repetition
 * @param warmUp whether the measurement is thrown away
 */
public record Trial(int repetition, long seed, boolean warmUp) {}
