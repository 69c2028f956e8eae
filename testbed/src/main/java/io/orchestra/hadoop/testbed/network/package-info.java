/**
 * The emulated network: a pure plan of hosts, racks and links, and its realization with ip and tc.
 */
package io.orchestra.hadoop.testbed.network;
