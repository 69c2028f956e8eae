package io.orchestra.hadoop.prefetch.rpc;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Where the coordinator may be: on every ResourceManager there is. */
public final class CoordinatorAddresses {
  private CoordinatorAddresses() {}

  /** A port of ours on every ResourceManager that application masters know. */
  public static List<InetSocketAddress> of(Configuration conf, int port) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    if (HAUtil.isHAEnabled(conf)) {
      for (String id : HAUtil.getRMHAIds(conf)) {
        YarnConfiguration one = new YarnConfiguration(conf);
        one.set(YarnConfiguration.RM_HA_ID, id);
        addresses.add(address(one, port));
      }
    } else {
      addresses.add(address(new YarnConfiguration(conf), port));
    }
    return addresses;
  }

  private static InetSocketAddress address(YarnConfiguration conf, int port) {
    InetSocketAddress scheduler =
        conf.getSocketAddr(
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.DEFAULT_RM_SCHEDULER_ADDRESS,
            YarnConfiguration.DEFAULT_RM_SCHEDULER_PORT);
    return new InetSocketAddress(scheduler.getHostString(), port);
  }
}
