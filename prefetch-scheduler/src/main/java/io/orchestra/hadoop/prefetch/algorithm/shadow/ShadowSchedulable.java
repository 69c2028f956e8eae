package io.orchestra.hadoop.prefetch.algorithm.shadow;

/** What queues and applications have in common: what they use, what they want, what is theirs. */
public abstract sealed class ShadowSchedulable permits ShadowQueue, ShadowApp {
  private final String name;
  private final ResourceVector usage;
  private final ResourceVector demand;
  private final ResourceVector fairShare;
  private Object view;

  ShadowSchedulable(
      String name, ResourceVector usage, ResourceVector demand, ResourceVector fairShare) {
    this.name = name;
    this.usage = usage.copy();
    this.demand = demand.copy();
    this.fairShare = fairShare.copy();
  }

  public String name() {
    return name;
  }

  /** What its containers take now. */
  public ResourceVector usage() {
    return usage;
  }

  /** What it used and asked for at the last update. */
  public ResourceVector demand() {
    return demand;
  }

  /** As of the last update. */
  public ResourceVector fairShare() {
    return fairShare;
  }

  /** When it was submitted; 0 for a queue. */
  public abstract long startTime();

  public abstract double weight();

  public abstract ResourceVector minShare();

  public abstract ResourceVector maxShare();

  /** What the policy keeps beside this; null at first. */
  public Object view() {
    return view;
  }

  public void setView(Object view) {
    this.view = view;
  }

  abstract ShadowQueue parent();

  abstract void updateDemand();
}
