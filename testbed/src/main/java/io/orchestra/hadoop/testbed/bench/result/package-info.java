/** What came out of the trials: statistics, verdicts, and whether they can be trusted. */
package io.orchestra.hadoop.testbed.bench.result;
