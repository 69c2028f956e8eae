package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.blockcache.SocketDirectory;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** Whether a DataNode of this host will find the directory of its cache's socket, and trust it. */
final class SocketCheck {
  private final Configuration conf;
  private final Findings findings;

  SocketCheck(Configuration conf, Findings findings) {
    this.conf = conf;
    this.findings = findings;
  }

  void run() {
    BlockCacheConfig config;
    try {
      config = BlockCacheConfig.from(conf);
    } catch (InvalidConfigurationException e) {
      // Told with the other settings.
      return;
    }
    Path directory = config.socket().getParent();
    String remedy =
        "as root: install -d -o <the DataNode's user> -m 755 %s; docs/broadcast-cache.md says how to keep it across boots"
            .formatted(directory);
    if (!config.enabled()) {
      return;
    }
    if (!Files.isDirectory(directory)) {
      findings.problem(
          "the directory of the block cache's socket, %s, does not exist: the cache is off"
              .formatted(directory),
          remedy);
      return;
    }
    try {
      String owner = "";
      if (config.guardSocket()) {
        SocketDirectory.of(config.socket()).verify();
        owner = "; it belongs to %s, as whom the DataNode must run".formatted(owner(directory));
      }
      findings.ok("the block cache's socket has a directory, " + directory + owner);
    } catch (IOException e) {
      findings.problem(
          "the block cache's socket is not safe and the cache is off: " + e.getMessage(), remedy);
    }
  }

  /** Nobody else can make a socket there. */
  private static String owner(Path directory) throws IOException {
    return Files.getOwner(directory.toRealPath()).getName();
  }
}
