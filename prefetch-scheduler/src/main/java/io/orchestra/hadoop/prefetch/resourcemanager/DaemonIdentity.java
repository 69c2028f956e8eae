package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol.Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Nobody hears block tokens but DataNodes: with Kerberos the principal of the host's DataNode, and
 * without it, where users are not verified anyhow, whoever calls from the host. Safe for concurrent
 * use.
 */
final class DaemonIdentity implements Daemons.Identity {
  private record Claim(Caller caller, String host) {}

  private final Configuration conf;
  private final Cache<Claim, Boolean> verified =
      CacheBuilder.newBuilder()
          .maximumSize(10_000)
          .expireAfterWrite(Duration.ofMinutes(10))
          .build();

  /**
   * @param conf with the principal of DataNodes
   */
  DaemonIdentity(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public void verify(Caller caller, String host) throws IOException {
    Claim claim = new Claim(caller, host);
    if (verified.getIfPresent(claim) == null) {
      if (!(UserGroupInformation.isSecurityEnabled()
          ? hasPrincipal(caller, host)
          : isAt(caller.address(), host))) {
        throw new AccessControlException(
            "%s at %s does not speak for the DataNode of %s"
                .formatted(caller.principal(), caller.address().getHostAddress(), host));
      }
      verified.put(claim, true);
    }
  }

  private boolean hasPrincipal(Caller caller, String host) throws IOException {
    String principal = conf.getTrimmed(DaemonProtocol.CLIENT_PRINCIPAL_KEY, "");
    return !principal.isEmpty()
        && SecurityUtil.getServerPrincipal(principal, host).equals(caller.principal());
  }

  private static boolean isAt(InetAddress address, String host) {
    InetAddress known = NetUtils.createSocketAddrForHost(host, 0).getAddress();
    return known != null
        && (known.equals(address)
            || (NetUtils.isLocalAddress(known) && NetUtils.isLocalAddress(address)));
  }
}
