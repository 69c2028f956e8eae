/**
 * Typed settings read from a Hadoop {@code Configuration}, and the reference page made from them.
 */
package io.orchestra.hadoop.core.config;
