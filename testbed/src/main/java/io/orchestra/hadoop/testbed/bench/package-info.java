/** What a benchmark is: a question, experiments with arms, and the keys that answer it. */
package io.orchestra.hadoop.testbed.bench;
