package io.orchestra.hadoop.prefetch.algorithm.shadow;

/**
 * A task's launch, foretold (FlexFetch, section III-A: the triple of node, time and task).
 *
 * @param node host the task will run on
 * @param nanos of the shadow's clock when it is launched
 * @param app the task belongs to
 * @param task id of its attempt
 * @param locality of its input; a prefetch helps all but {@link Locality#NODE_LOCAL} ones
 */
public record Prediction(String node, long nanos, String app, String task, Locality locality) {
  /** Or of a reduce, of which nobody tells when it is launched. */
  public boolean isOfMap() {
    return !task.startsWith(ShadowTask.REDUCE_ID);
  }
}
