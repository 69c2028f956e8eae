/** How idle the processors and how busy the links are while a trial runs. */
package io.orchestra.hadoop.testbed.bench.sample;
