package io.orchestra.hadoop.testbed.process;

/**
 * A process, named so that a recycled pid is not mistaken for it.
 *
 * @param pid the number it has on this machine
 * @param startTicks when the kernel started it, in clock ticks since boot
 */
public record ProcessIdentity(long pid, long startTicks) {}
