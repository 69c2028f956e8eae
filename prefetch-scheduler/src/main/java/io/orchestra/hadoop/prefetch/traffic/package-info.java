/**
 * Minimum rates on network devices, by the kernel: a small helper that runs as root, and how others
 * ask it.
 */
package io.orchestra.hadoop.prefetch.traffic;
