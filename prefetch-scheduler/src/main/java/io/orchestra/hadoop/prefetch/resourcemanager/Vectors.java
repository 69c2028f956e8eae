package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.ResourceVector;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Hadoop's resources as vectors of the countable types, and back. */
final class Vectors {
  /** Virtual cores are ints in a Resource, whatever its interface says. */
  private static final int VCORES = 1;

  private Vectors() {}

  static ResourceVector of(Resource resource) {
    long[] values = new long[ResourceUtils.getNumberOfCountableResourceTypes()];
    for (int type = 0; type < values.length; type++) {
      values[type] = resource.getResourceInformation(type).getValue();
    }
    return ResourceVector.of(values);
  }

  static Resource resource(ResourceVector vector) {
    Resource resource = Resources.createResource(0);
    write(vector, resource);
    return resource;
  }

  static void write(ResourceVector vector, Resource resource) {
    for (int type = 0; type < vector.size(); type++) {
      long value = vector.value(type);
      resource.setResourceValue(type, type == VCORES ? Math.min(value, Integer.MAX_VALUE) : value);
    }
  }

  static void write(Resource resource, ResourceVector vector) {
    for (int type = 0; type < vector.size(); type++) {
      vector.set(type, resource.getResourceInformation(type).getValue());
    }
  }
}
