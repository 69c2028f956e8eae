package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol.Caller;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Nobody hears block tokens but DataNodes: with Kerberos the principal of the host's DataNode, and
 * without it, where users are not verified anyhow, whoever calls from the host. Who was verified
 * and goes on calling passes whatever others claim meanwhile, also from the same address, and is
 * verified again once a day. Safe for concurrent use.
 */
final class DaemonIdentity implements Daemons.Identity {
  private record Claim(Caller caller, String host) {}

  private final Configuration conf;
  private final HostLookup hosts;
  private final Cache<Claim, Boolean> verified;

  /**
   * @param conf with the principal of DataNodes
   * @param handlers threads that verify, of which one is left for others if there are several
   */
  DaemonIdentity(Configuration conf, int handlers) {
    this(conf, new HostLookup(Math.max(1, handlers - 1)), Ticker.systemTicker());
  }

  @VisibleForTesting
  DaemonIdentity(Configuration conf, HostLookup hosts, Ticker clock) {
    this.conf = conf;
    this.hosts = hosts;
    verified =
        CacheBuilder.newBuilder()
            .maximumSize(10_000)
            .expireAfterAccess(Duration.ofMinutes(10))
            .expireAfterWrite(Duration.ofDays(1))
            .ticker(clock)
            .build();
  }

  @Override
  public void verify(Caller caller, String host) throws IOException {
    Claim claim = new Claim(caller, host);
    if (verified.getIfPresent(claim) == null) {
      if (!(UserGroupInformation.isSecurityEnabled()
          ? hasPrincipal(caller, host)
          : hosts.isAt(caller.address(), host))) {
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
}
