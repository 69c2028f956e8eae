/** The cluster's network: hosts, switches, directed links with capacities, and paths. */
package io.orchestra.hadoop.core.topology;
