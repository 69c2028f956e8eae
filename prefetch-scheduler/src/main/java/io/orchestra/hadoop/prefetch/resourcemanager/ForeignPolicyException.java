package io.orchestra.hadoop.prefetch.resourcemanager;

/**
 * A queue has a policy that is none of Hadoop's own. The scheduler calls it under its write lock,
 * which a policy may rely on, and there is one for all queues.
 */
final class ForeignPolicyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ForeignPolicyException(String policy) {
    super(policy);
  }
}
