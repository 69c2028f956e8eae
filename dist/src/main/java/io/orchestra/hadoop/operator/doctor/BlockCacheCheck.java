package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.blockcache.SocketDirectory;
import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.apache.hadoop.conf.Configuration;

/** Whether a DataNode of this host will find the directories of its cache, and trust them. */
final class BlockCacheCheck {
  private final Configuration conf;
  private final Findings findings;

  BlockCacheCheck(Configuration conf, Findings findings) {
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
    String found = "the block cache's socket has a directory, " + directory;
    if (!config.guardSocket()) {
      findings.ok(found);
      return;
    }
    UserPrincipal user;
    try {
      SocketDirectory.of(config.socket()).verify();
      user = Files.getOwner(directory.toRealPath());
    } catch (IOException e) {
      findings.problem(
          "the block cache's socket is not safe and the cache is off: " + e.getMessage(), remedy);
      return;
    }
    // Nobody else can make a socket there.
    String whose = "%s; it belongs to %s, as whom the DataNode must run".formatted(found, user);
    if (user.getName().equals("root")) {
      findings.note(whose, "if it runs as another user, " + remedy);
    } else {
      findings.ok(whose);
    }
    verifyDirectory(user);
  }

  /** Of Hadoop's own, which has the name of whoever asks, nothing can be told. */
  private void verifyDirectory(UserPrincipal user) {
    String named = conf.getTrimmed(BlockCacheConfig.PREFIX + "directory", "");
    if (named.isEmpty()) {
      return;
    }
    Path directory = Path.of(named);
    String remedy =
        "let %sdirectory name one that is not there yet: the DataNode makes it, and must be able to write in the one above"
            .formatted(BlockCacheConfig.PREFIX);
    try {
      if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      UserPrincipal owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        findings.problem("the block cache is off: %s is no directory".formatted(named), remedy);
      } else if (!owner.equals(user)) {
        findings.problem(
            "the block cache is off: %s belongs to %s, and the directory of its socket to %s; the DataNode must own both"
                .formatted(named, owner, user),
            remedy);
      }
    } catch (IOException e) {
      findings.unknown("%s cannot be looked at: %s".formatted(named, e), "run this as root");
    }
  }
}
