package io.orchestra.hadoop.testbed.bench;

/**
 * Something that must hold for a measurement to count, such as equal bytes.
 *
 * @param name what must hold
 * @param detail what was found
 */
public record Check(String name, boolean passed, String detail) {}
