package io.orchestra.hadoop.core.topology;

/**
 * One direction of the cable between a node of the tree and its parent.
 *
 * @param node the name of the end that is farther from the core: a host, or a switch's location
 * @param direction which way data moves
 * @param capacity bytes per second
 */
public record Link(String node, Direction direction, long capacity) {}
