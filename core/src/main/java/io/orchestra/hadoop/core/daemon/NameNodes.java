package io.orchestra.hadoop.core.daemon;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;

/** The NameNodes a DataNode serves, which change while it runs. Used by one thread. */
public final class NameNodes {
  /** Looking up a name that nobody knows may take seconds. */
  private static final Duration RESOLVE_AGAIN = Duration.ofSeconds(30);

  private final Supplier<Configuration> configuration;
  private Configuration conf;
  private long resolved;
  private Set<InetSocketAddress> addresses = Set.of();

  /**
   * @param configuration of the DataNode; another one after {@code dfsadmin -refreshNamenodes}
   */
  public NameNodes(Supplier<Configuration> configuration) {
    this.configuration = configuration;
  }

  /** Addresses of the RPC servers for DataNodes, of all nameservices. */
  public Set<InetSocketAddress> addresses() throws IOException {
    Configuration current = configuration.get();
    boolean retry =
        addresses.stream().anyMatch(InetSocketAddress::isUnresolved)
            && System.nanoTime() - resolved > RESOLVE_AGAIN.toNanos();
    if (current != conf || retry) {
      Set<InetSocketAddress> found = new LinkedHashSet<>();
      DFSUtil.getNNServiceRpcAddressesForCluster(current)
          .values()
          .forEach(nameservice -> found.addAll(nameservice.values()));
      addresses = Set.copyOf(found);
      conf = current;
      resolved = System.nanoTime();
    }
    return addresses;
  }
}
