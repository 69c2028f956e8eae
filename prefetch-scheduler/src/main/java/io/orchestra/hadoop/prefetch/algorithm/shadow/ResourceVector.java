package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * An amount of each countable resource, memory first, in the order of the cluster's resource types.
 * Mutable, and not safe for concurrent use.
 */
public final class ResourceVector {
  private final long[] values;

  private ResourceVector(long[] values) {
    this.values = values;
  }

  public static ResourceVector of(long... values) {
    checkArgument(values.length > 0, "a vector without resources");
    return new ResourceVector(values.clone());
  }

  public static ResourceVector zero(int size) {
    return new ResourceVector(new long[size]);
  }

  public int size() {
    return values.length;
  }

  public long value(int resource) {
    return values[resource];
  }

  public void set(int resource, long value) {
    values[resource] = value;
  }

  public ResourceVector copy() {
    return new ResourceVector(values.clone());
  }

  /** Adds so many times the other vector. */
  void add(ResourceVector other, long times) {
    for (int i = 0; i < values.length; i++) {
      values[i] += times * other.values[i];
    }
  }

  void set(ResourceVector other) {
    System.arraycopy(other.values, 0, values, 0, values.length);
  }

  void limit(ResourceVector most) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.min(values[i], most.values[i]);
    }
  }

  void raise(ResourceVector least) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(values[i], least.values[i]);
    }
  }

  /** Whether no resource exceeds the other vector's. */
  boolean fitsIn(ResourceVector other) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] > other.values[i]) {
        return false;
      }
    }
    return true;
  }

  /** The same as the sum of both fitting in the other vector. */
  boolean fitsInWith(ResourceVector addition, ResourceVector other) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] + addition.values[i] > other.values[i]) {
        return false;
      }
    }
    return true;
  }

  boolean isZero() {
    for (long value : values) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  boolean equalTo(ResourceVector other) {
    return Arrays.equals(values, other.values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
