package io.orchestra.hadoop.shuffle.nodemanager;

import java.beans.ConstructorProperties;
import java.util.Map;

/**
 * What the NodeManager shows of weighted shuffles, as JSON at {@code
 * /jmx?qry=Hadoop:service=NodeManager,name=OrchestraShuffleJobs}.
 */
public interface ShuffledJobsMXBean {
  String NAME = "OrchestraShuffleJobs";

  /** For the latest jobs, by the number of the reducer: what it has asked for. */
  Map<String, Map<Integer, ReducerView>> getJobs();

  /** In the form that JMX knows how to show. */
  final class ReducerView {
    private final long sizes;
    private final long ranges;
    private final long bytes;

    /**
     * @param sizes times that it asked for sizes
     * @param ranges ranges that it asked for
     * @param bytes of those ranges
     */
    @ConstructorProperties({"sizes", "ranges", "bytes"})
    public ReducerView(long sizes, long ranges, long bytes) {
      this.sizes = sizes;
      this.ranges = ranges;
      this.bytes = bytes;
    }

    public long getSizes() {
      return sizes;
    }

    public long getRanges() {
      return ranges;
    }

    public long getBytes() {
      return bytes;
    }

    ReducerView plus(ReducerView other) {
      return new ReducerView(sizes + other.sizes, ranges + other.ranges, bytes + other.bytes);
    }
  }
}
