package io.orchestra.hadoop.testbed.bench.prefetch;

import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Files of one block that maps read, by where their replicas are. */
enum InputFiles {
  /**
   * On one host of each rack, as HDFS puts two replicas; on as many of each, as in a cluster that
   * is balanced.
   */
  SOMEWHERE {
    @Override
    List<String> hosts(int file, NetworkPlan plan) {
      List<String> hosts = new ArrayList<>();
      int turn = file;
      for (String rack : plan.rackNames()) {
        List<String> there = in(rack, plan);
        hosts.add(there.get(turn % there.size()));
        turn /= there.size();
      }
      return hosts;
    }
  },
  /** On all hosts. */
  EVERYWHERE {
    @Override
    List<String> hosts(int file, NetworkPlan plan) {
      return names(plan.workers());
    }
  },
  /** As {@link ControlRun} has them. */
  CONTROLLED {
    @Override
    List<String> hosts(int file, NetworkPlan plan) {
      ControlledHosts hosts = new ControlledHosts(plan);
      List<String> sources = hosts.sources();
      List<String> found = new ArrayList<>(List.of(sources.get(file % sources.size())));
      if (ControlRun.isFirstOfSmallJob(file)) {
        found.add(hosts.watched());
      }
      return found;
    }
  };

  private static final String DIRECTORY = "/input";
  private static final String FILE = "/file";

  abstract List<String> hosts(int file, NetworkPlan plan);

  private static List<String> in(String rack, NetworkPlan plan) {
    return names(plan.workers().stream().filter(host -> host.place().equals(rack)).toList());
  }

  private static List<String> names(List<Host> hosts) {
    return hosts.stream().map(Host::name).toList();
  }

  String directory() {
    return DIRECTORY + "/" + name().toLowerCase(Locale.ROOT);
  }

  String path(int file) {
    return directory() + FILE + file;
  }

  /** Hosts with a replica of one of these files, whose path may be that of a file system. */
  static List<String> hosts(String path, NetworkPlan plan) {
    for (InputFiles files : values()) {
      int found = path.indexOf(files.directory() + FILE);
      if (found >= 0) {
        int number = found + files.directory().length() + FILE.length();
        return files.hosts(Integer.parseInt(path.substring(number)), plan);
      }
    }
    throw new IllegalArgumentException(path);
  }

  /** Paths of files, with commas between them. */
  String paths(List<Integer> files) {
    return files.stream().map(this::path).collect(Collectors.joining(","));
  }
}
