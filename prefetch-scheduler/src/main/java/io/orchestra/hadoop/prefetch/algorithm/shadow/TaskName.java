package io.orchestra.hadoop.prefetch.algorithm.shadow;

/** An attempt at a task, whose name says something in its job only. */
record TaskName(String job, String attempt) {}
