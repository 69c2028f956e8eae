package io.orchestra.hadoop.prefetch.algorithm.shadow;

import java.util.HashMap;
import java.util.Map;

/**
 * Containers of one size that an application asks for: how many anywhere, and how many of them on
 * which racks and nodes. Counts overlap: a node's are also among its rack's.
 */
public final class Ask {
  /** The place that is every place. */
  public static final String ANYWHERE = "*";

  /** Containers asked for at one place. */
  private static final class Place {
    private int containers;
    private boolean relaxed = true;
  }

  private final AskKey key;
  private final ResourceVector capability;
  private final Map<String, Place> places = new HashMap<>();
  private DelayState delay = new DelayState();
  private int anywhere;
  private boolean allRelaxed = true;
  private Boolean large;

  /**
   * @param capability of each container
   */
  public Ask(AskKey key, ResourceVector capability) {
    this.key = key;
    this.capability = capability;
  }

  /**
   * Sets how many containers are asked for at a place.
   *
   * @param place {@link #ANYWHERE}, a rack, or a node's name
   * @param relaxed whether those that are not got there may be got farther away
   */
  public void put(String place, int containers, boolean relaxed) {
    Place asked = places.computeIfAbsent(place, unused -> new Place());
    asked.containers = containers;
    asked.relaxed = relaxed;
    allRelaxed &= relaxed;
    if (place.equals(ANYWHERE)) {
      anywhere = containers;
    }
  }

  /** How long it has waited already; not at all without this. */
  public void setDelay(DelayState delay) {
    this.delay = delay;
  }

  public AskKey key() {
    return key;
  }

  public ResourceVector capability() {
    return capability;
  }

  DelayState delay() {
    return delay;
  }

  /** Containers asked for at a place. */
  public int containers(String place) {
    Place asked = places.get(place);
    return asked == null ? 0 : asked.containers;
  }

  /** Containers asked for in all. */
  int containers() {
    return anywhere;
  }

  boolean isRelaxed(String place) {
    Place asked = places.get(place);
    return asked == null || asked.relaxed;
  }

  /** Whether no place is insisted on. */
  boolean isRelaxed() {
    return allRelaxed;
  }

  /** Whether nodes are reserved for so large a container; asked of the policy once. */
  boolean isLarge(QueuePolicy policy, ResourceVector threshold) {
    if (large == null) {
      large = policy.isAtLeast(capability, threshold);
    }
    return large;
  }

  /** Places named, those with no container left among them if the application said so. */
  int places() {
    return places.size();
  }

  /** As LocalityAppPlacementAllocator 330-420 counts an allocation down. */
  void allocate(Locality locality, ShadowNode node) {
    if (locality == Locality.NODE_LOCAL) {
      decrement(node.name());
    }
    if (locality != Locality.OFF_SWITCH) {
      decrement(node.rack());
    }
    decrement(ANYWHERE);
    anywhere--;
  }

  private void decrement(String place) {
    Place asked = places.get(place);
    asked.containers--;
    if (asked.containers == 0) {
      places.remove(place);
    }
  }
}
