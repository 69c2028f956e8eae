/** What a run leaves behind: JSON, a report to read, and plots. */
package io.orchestra.hadoop.testbed.bench.report;
