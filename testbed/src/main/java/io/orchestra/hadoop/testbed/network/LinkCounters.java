package io.orchestra.hadoop.testbed.network;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads how many bytes every link has carried, from outside the hosts. */
public final class LinkCounters {

  /**
   * Bytes since the link was built.
   *
   * @param up from the host or rack towards the core
   * @param down from the core towards the host or rack
   */
  public record LinkBytes(long up, long down) {}

  private final NetworkPlan plan;
  private final ProcessIdentity fabric;
  private final ProcessTable table;

  /**
   * @param fabric the first process of the fabric
   */
  public LinkCounters(NetworkPlan plan, ProcessIdentity fabric, ProcessTable table) {
    this.plan = plan;
    this.fabric = fabric;
    this.table = table;
  }

  /** The bytes of every link, by its name; fails if the cluster has ended. */
  public Map<String, LinkBytes> read() {
    // The upper end alone tells both directions, and one file holds all upper ends.
    Path file = table.directory(fabric).resolve("net/dev");
    table.require(fabric, "the network");
    Map<String, LinkBytes> devices = parse(FileTree.read(file));
    Map<String, LinkBytes> links = new TreeMap<>();
    for (Link link : plan.links()) {
      links.put(link.name(), devices.get(link.upper().device()));
    }
    return links;
  }

  /** Received bytes are those that came up the link, sent ones went down. */
  private static Map<String, LinkBytes> parse(String table) {
    Map<String, LinkBytes> devices = new HashMap<>();
    for (String line : Splitter.on('\n').omitEmptyStrings().split(table)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        List<String> fields =
            Splitter.on(' ').omitEmptyStrings().splitToList(line.substring(colon + 1));
        devices.put(
            line.substring(0, colon).strip(),
            new LinkBytes(Long.parseLong(fields.get(0)), Long.parseLong(fields.get(8))));
      }
    }
    return devices;
  }
}
