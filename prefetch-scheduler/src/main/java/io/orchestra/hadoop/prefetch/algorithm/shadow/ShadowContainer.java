package io.orchestra.hadoop.prefetch.algorithm.shadow;

/** A container that runs, or will, in the shadow. */
public final class ShadowContainer {
  /** Nobody knows when it ends: not within the horizon. */
  public static final long NEVER = Long.MAX_VALUE;

  private final ShadowApp app;
  private final ShadowNode node;
  private final AskKey key;
  private final ResourceVector capability;
  private long end = NEVER;

  ShadowContainer(ShadowApp app, ShadowNode node, AskKey key, ResourceVector capability) {
    this.app = app;
    this.node = node;
    this.key = key;
    this.capability = capability;
  }

  public ShadowApp app() {
    return app;
  }

  public ShadowNode node() {
    return node;
  }

  AskKey key() {
    return key;
  }

  ResourceVector capability() {
    return capability;
  }

  /** Nanoseconds of the shadow's clock, or {@link #NEVER}. */
  long end() {
    return end;
  }

  void endAt(long nanos) {
    end = nanos;
  }
}
