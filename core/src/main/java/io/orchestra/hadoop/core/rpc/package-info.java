/**
 * Control messages between our parts of different daemons, over Hadoop's own RPC: its
 * authentication, its service authorization, its protobuf.
 */
package io.orchestra.hadoop.core.rpc;
