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
    Configuration yarn = knowingYarn(conf);
    if (!HAUtil.isHAEnabled(yarn)) {
      return List.of(
          address(
              yarn.get(
                  YarnConfiguration.RM_SCHEDULER_ADDRESS,
                  YarnConfiguration.DEFAULT_RM_SCHEDULER_ADDRESS)));
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String id : HAUtil.getRMHAIds(yarn)) {
      Configuration one = new Configuration(yarn);
      one.set(YarnConfiguration.RM_HA_ID, id);
      addresses.add(
          address(
              HAUtil.getConfValueForRMInstance(
                  YarnConfiguration.RM_SCHEDULER_ADDRESS,
                  YarnConfiguration.DEFAULT_RM_SCHEDULER_ADDRESS,
                  one)));
    }
    return addresses;
  }

  /**
   * A job's configuration has YARN's files already. A {@link YarnConfiguration} that is made of it
   * parses all files anew, also those of HDFS and MapReduce: a new JVM takes longer for that than
   * for all else here.
   */
  private static Configuration knowingYarn(Configuration conf) {
    return conf.get(YarnConfiguration.RM_SCHEDULER_ADDRESS) == null
        ? new YarnConfiguration(conf)
        : conf;
  }

  private static InetSocketAddress address(String scheduler) {
    return NetUtils.createSocketAddr(
        scheduler,
        YarnConfiguration.DEFAULT_RM_SCHEDULER_PORT,
        YarnConfiguration.RM_SCHEDULER_ADDRESS);
  }
}
