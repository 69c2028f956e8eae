package io.orchestra.hadoop.prefetch.resourcemanager;

/**
 * What counts of a MapReduce job. How critical it is is what the scheduler sees, whatever its
 * application master says.
 *
 * @param user whose job it is
 * @param residual number of its tasks that wait or run, as the scheduler sees it or as it says, the
 *     larger; of maps and reduces those that are more
 * @param mapNanos that one of its maps takes from its launch to its end, as its application
 *     master's reports let expect; 0 while that is unknown. Decides how late a block may come
 */
record JobState(String user, long residual, long mapNanos) {
  /** Of a job that no prediction has seen: nobody makes room for it. */
  static JobState unforetold(String user, long mapNanos) {
    return new JobState(user, Long.MAX_VALUE, mapNanos);
  }
}
