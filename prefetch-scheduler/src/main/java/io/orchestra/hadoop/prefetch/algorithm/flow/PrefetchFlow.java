package io.orchestra.hadoop.prefetch.algorithm.flow;

/**
 * One block on its way to the host of the task that will read it.
 *
 * @param id unique
 * @param job whose task it is for
 * @param source host that has a replica
 * @param target host the task will run on
 */
public record PrefetchFlow(long id, String job, String source, String target) {
  /** Bytes: blocks come in pieces of this length, and daemons tell of whole ones. */
  public static final int PIECE_LENGTH = 256 << 10;
}
