package org.apache.hadoop.yarn.server.nodemanager.containermanager;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.records.AuxServiceConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.records.AuxServiceRecord;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.records.AuxServiceRecords;

/** The services of a NodeManager that are declared in a manifest, not in {@code yarn-site.xml}. */
public final class ManifestServices implements AutoCloseable {
  private final AuxServices services;

  public ManifestServices(AuxiliaryLocalPathHandler outputs) {
    Configuration conf = new Configuration();
    conf.setBoolean(YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED, true);
    services = new AuxServices(outputs, nodeManager(), null);
    services.init(conf);
    services.start();
  }

  /** One that knows nothing. */
  private static Context nodeManager() {
    return (Context)
        Proxy.newProxyInstance(
            ManifestServices.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) -> null);
  }

  /** As if the manifest declared this service and no other. */
  public void declare(String name, Class<?> service, Map<String, String> properties)
      throws IOException {
    AuxServiceConfiguration configuration = new AuxServiceConfiguration();
    configuration.setProperty(AuxServices.CLASS_NAME, service.getName());
    properties.forEach(configuration::setProperty);
    services.reload(
        new AuxServiceRecords()
            .serviceList(new AuxServiceRecord().name(name).configuration(configuration)));
  }

  /** What the service tells application masters. */
  public ByteBuffer metaData(String name) {
    return services.getMetaData().get(name);
  }

  /** The one that is declared. */
  public AuxiliaryService service() {
    return services.getServices().iterator().next();
  }

  @Override
  public void close() {
    services.stop();
  }
}
