package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.ArrayList;
import java.util.List;

/** A node of the cluster. */
public final class ShadowNode {
  private final String name;
  private final String host;
  private final String rack;
  private final ResourceVector total;
  private final ResourceVector available;
  private final List<ShadowContainer> containers = new ArrayList<>();
  private ShadowApp reservedBy;
  private AskKey reservedKey;
  private ResourceVector reserved;

  /**
   * @param name by which asks call it
   * @param host by which an application master calls it
   * @param total of the node
   * @param available of it now
   */
  public ShadowNode(
      String name, String host, String rack, ResourceVector total, ResourceVector available) {
    this.name = name;
    this.host = host;
    this.rack = rack;
    this.total = total;
    this.available = available.copy();
  }

  public String name() {
    return name;
  }

  public String host() {
    return host;
  }

  public String rack() {
    return rack;
  }

  ResourceVector total() {
    return total;
  }

  ResourceVector available() {
    return available;
  }

  List<ShadowContainer> containers() {
    return containers;
  }

  /**
   * Adds a container that runs; what it takes is in the sums of the snapshot.
   *
   * @param end nanoseconds of the shadow's clock, or {@link ShadowContainer#NEVER}
   */
  public ShadowContainer addRunning(
      ShadowApp app, AskKey key, ResourceVector capability, long end) {
    ShadowContainer container = new ShadowContainer(app, this, key, capability);
    container.endAt(end);
    containers.add(container);
    return container;
  }

  /** The same for one its application master has not been told of. */
  public void addAllocated(ShadowApp app, AskKey key, ResourceVector capability) {
    ShadowContainer container = new ShadowContainer(app, this, key, capability);
    containers.add(container);
    app.allocated().add(container);
  }

  boolean isReserved() {
    return reservedBy != null;
  }

  ShadowApp reservedBy() {
    return reservedBy;
  }

  AskKey reservedKey() {
    return reservedKey;
  }

  ResourceVector reserved() {
    return reserved;
  }

  /** Keeps what comes free for an application. */
  public void reserve(ShadowApp app, AskKey key, ResourceVector capability) {
    reservedBy = app;
    reservedKey = key;
    reserved = capability;
    app.reservations().put(rack, name);
  }

  void unreserve() {
    reservedBy.reservations().remove(rack, name);
    reservedBy = null;
    reservedKey = null;
    reserved = null;
  }
}
