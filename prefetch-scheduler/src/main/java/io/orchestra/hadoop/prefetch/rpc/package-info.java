/** Messages between application masters and the ResourceManager. */
package io.orchestra.hadoop.prefetch.rpc;
