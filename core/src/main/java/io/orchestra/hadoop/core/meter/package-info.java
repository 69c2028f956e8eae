/** Measures how busy links are: interface counters, rates, moving averages. */
package io.orchestra.hadoop.core.meter;
