/** What peers and trackers say to each other. */
package io.orchestra.hadoop.broadcast.rpc;
