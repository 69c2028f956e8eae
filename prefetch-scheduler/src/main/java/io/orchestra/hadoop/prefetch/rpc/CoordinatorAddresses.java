package io.orchestra.hadoop.prefetch.rpc;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Where the coordinator may be: on every ResourceManager there is. */
public final class CoordinatorAddresses {
  private CoordinatorAddresses() {}

  /** A host may have another address by now, or have had none when this was read. */
  public static InetSocketAddress resolvedNow(InetSocketAddress address) {
    return NetUtils.createSocketAddrForHost(address.getHostString(), address.getPort());
  }

  /** A port of ours on every ResourceManager that application masters know. */
  public static List<InetSocketAddress> of(Configuration conf, int port) {
    return schedulers(conf).stream()
        .map(scheduler -> new InetSocketAddress(scheduler.getHostString(), port))
        .toList();
  }

  /**
   * Whether application masters know NodeManagers only, that is, each the AMRMProxy of its host:
   * the token they have is that proxy's, and no ResourceManager accepts it. The setting of the host
   * may be overridden by that of whoever submitted the job, but he must have named the proxy.
   */
  public static boolean areProxied(Configuration conf) {
    int proxy =
        conf.getSocketAddr(
                YarnConfiguration.AMRM_PROXY_ADDRESS,
                YarnConfiguration.DEFAULT_AMRM_PROXY_ADDRESS,
                YarnConfiguration.DEFAULT_AMRM_PROXY_PORT)
            .getPort();
    return conf.getBoolean(
            YarnConfiguration.AMRM_PROXY_ENABLED, YarnConfiguration.DEFAULT_AMRM_PROXY_ENABLED)
        || schedulers(conf).stream().allMatch(scheduler -> scheduler.getPort() == proxy);
  }

  private static List<InetSocketAddress> schedulers(Configuration conf) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    if (HAUtil.isHAEnabled(conf)) {
      for (String id : HAUtil.getRMHAIds(conf)) {
        YarnConfiguration one = new YarnConfiguration(conf);
        one.set(YarnConfiguration.RM_HA_ID, id);
        addresses.add(scheduler(one));
      }
    } else {
      addresses.add(scheduler(new YarnConfiguration(conf)));
    }
    return addresses;
  }

  private static InetSocketAddress scheduler(YarnConfiguration conf) {
    return conf.getSocketAddr(
        YarnConfiguration.RM_SCHEDULER_ADDRESS,
        YarnConfiguration.DEFAULT_RM_SCHEDULER_ADDRESS,
        YarnConfiguration.DEFAULT_RM_SCHEDULER_PORT);
  }
}
