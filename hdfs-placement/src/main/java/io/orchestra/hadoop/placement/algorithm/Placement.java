package io.orchestra.hadoop.placement.algorithm;

/**
 * One placed replica, and what it counts as until a measurement shows it.
 *
 * @param host its name
 * @param links how many the copy crosses, from the host upwards
 * @param rate it counts with, bytes per second
 * @param time nanoseconds
 */
public record Placement(String host, int links, long rate, long time) {}
