package io.orchestra.hadoop.testbed.network;

/**
 * One emulated host.
 *
 * @param name its host name, such as {@code r1h2}; masters are {@code m1} and {@code m2}
 * @param place the rack it stands in, such as {@code rack1}, or {@code core}
 * @param address its IPv4 address
 */
public record Host(String name, String place, String address) {}
