package org.apache.hadoop.yarn.server.resourcemanager;

import java.util.Optional;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.webapp.WebApp;

/** The web server of a ResourceManager, which it shows only within its package. */
public final class ResourceManagerWeb {
  private ResourceManagerWeb() {}

  /** Empty until it serves, which is after its scheduler has started. */
  public static Optional<HttpServer2> server(RMContext context) {
    ResourceManager manager = context.getResourceManager();
    WebApp web = manager == null ? null : manager.getWebapp();
    return Optional.ofNullable(web == null ? null : web.getHttpServer());
  }
}
