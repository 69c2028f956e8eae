package io.orchestra.hadoop.placement.namenode;

import io.orchestra.hadoop.placement.NetworkAwareNodeGroupPolicy;
import io.orchestra.hadoop.placement.NetworkAwarePlacementPolicy;
import io.orchestra.hadoop.placement.NetworkAwareRackFaultTolerantPolicy;
import io.orchestra.hadoop.placement.NetworkAwareUpgradeDomainPolicy;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;

/**
 * Lets our classes stand in for those that Hadoop's suites name in their configurations: many a
 * suite sets its policy itself, in the middle of a method, after {@code hdfs-site.xml} was read.
 *
 * <p>Works through the cache in which {@link Configuration} keeps the classes it has loaded by
 * name.
 */
final class StandIns {
  private static final Map<Class<?>, Class<?>> BY_CLASS_OF_HDFS =
      Map.of(
          BlockPlacementPolicyDefault.class, NetworkAwarePlacementPolicy.class,
          BlockPlacementPolicyRackFaultTolerant.class, NetworkAwareRackFaultTolerantPolicy.class,
          BlockPlacementPolicyWithUpgradeDomain.class, NetworkAwareUpgradeDomainPolicy.class,
          BlockPlacementPolicyWithNodeGroup.class, NetworkAwareNodeGroupPolicy.class,
          NetworkTopologyWithNodeGroup.class, ReportedNodeGroupTopology.class);

  private StandIns() {}

  static void install() {
    BY_CLASS_OF_HDFS.forEach(StandIns::install);
  }

  private static void install(Class<?> stock, Class<?> ours) {
    Configuration conf = new Configuration(false);
    String name = stock.getName();
    // Now the cache has a map for this class loader.
    conf.getClassByNameOrNull(name);
    cachedClasses(conf.getClassLoader()).put(name, new WeakReference<>(ours));
    if (conf.getClassByNameOrNull(name) != ours) {
      throw new IllegalStateException("Configuration does not take " + name + " for " + ours);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, WeakReference<Class<?>>> cachedClasses(ClassLoader loader) {
    try {
      Field cache = Configuration.class.getDeclaredField("CACHE_CLASSES");
      cache.setAccessible(true);
      return ((Map<ClassLoader, Map<String, WeakReference<Class<?>>>>) cache.get(null)).get(loader);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
