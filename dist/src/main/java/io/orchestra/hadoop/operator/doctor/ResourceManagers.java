package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Where the ResourceManagers of a configuration are. */
final class ResourceManagers {
  private ResourceManagers() {}

  /** {@code http} or {@code https}, of YARN's daemons. */
  static String scheme(Configuration conf) {
    return YarnConfiguration.useHttps(conf) ? "https" : "http";
  }

  /**
   * The web addresses of all of them, active or not.
   *
   * @throws IOException if the configuration does not tell them, with what is wrong
   */
  static List<URI> webAddresses(Configuration conf) throws IOException {
    YarnConfiguration yarn = new YarnConfiguration(conf);
    boolean https = YarnConfiguration.useHttps(yarn);
    String key =
        https ? YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS : YarnConfiguration.RM_WEBAPP_ADDRESS;
    List<URI> addresses = new ArrayList<>();
    try {
      if (HAUtil.isHAEnabled(yarn)) {
        for (String id : yarn.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS)) {
          yarn.set(YarnConfiguration.RM_HA_ID, id);
          addresses.add(address(yarn, HAUtil.getConfValueForRMInstance(key, yarn)));
        }
      } else {
        addresses.add(
            address(
                yarn,
                yarn.getTrimmed(
                    key,
                    https
                        ? YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_ADDRESS
                        : YarnConfiguration.DEFAULT_RM_WEBAPP_ADDRESS)));
      }
    } catch (RuntimeException e) {
      // Hadoop's, for addresses that are missing or none.
      throw new UnknownAddressException("ResourceManagers", e);
    }
    return addresses;
  }

  private static URI address(Configuration conf, String authority) {
    return URI.create(scheme(conf) + "://" + authority);
  }
}
