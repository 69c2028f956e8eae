package io.orchestra.hadoop.broadcast.namenode;

import io.orchestra.hadoop.broadcast.algorithm.InferredRacks;
import io.orchestra.hadoop.broadcast.algorithm.RackInference;
import io.orchestra.hadoop.broadcast.algorithm.TransferTimes;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Racks inferred from the times that pieces took (CornetClustering; Orchestra, section 5.3). Safe
 * for concurrent use.
 *
 * <p>Once pieces keep to racks, the links between racks are idle and look as fast as all others. So
 * only swarms that know nothing of racks teach: all, until two racks are known, and then one of
 * {@value #TEACHING}. A single rack keeps no piece from anywhere, and may be two of which too
 * little was seen.
 */
final class LearnedRacks {
  private static final Logger LOG = LoggerFactory.getLogger(LearnedRacks.class);
  private static final int TEACHING = 8;
  private static final double MEBIBYTE = 1 << 20;

  private final RackInference inference;
  private volatile Optional<InferredRacks<String>> racks = Optional.empty();

  // Guarded by this. DataNodes by UUID.
  private final TransferTimes<String> times = new TransferTimes<>();
  private boolean news;
  private int begun;

  /**
   * @param inference used by one thread at a time
   */
  LearnedRacks(RackInference inference) {
    this.inference = inference;
  }

  /** Whether a swarm that begins now is to know nothing of racks, and to teach. */
  synchronized boolean nextTeaches() {
    return racks.map(InferredRacks::count).orElse(0) < 2 || ++begun % TEACHING == 0;
  }

  /** Notes how long bytes took; what cannot be is ignored. */
  synchronized void learn(String from, String to, long bytes, double millis) {
    if (!from.equals(to) && bytes > 0 && millis > 0 && millis < Double.POSITIVE_INFINITY) {
      times.add(from, to, millis / bytes * MEBIBYTE);
      news = true;
    }
  }

  /** Two peers of which one is unknown are not apart. */
  boolean apart(String one, String other) {
    return racks.map(known -> known.apart(one, other)).orElse(false);
  }

  /** The number of each peer's rack; empty until there is enough to tell. */
  Map<String, Integer> racks() {
    return racks.map(InferredRacks::rackOf).orElse(Map.of());
  }

  /** Takes seconds with hundreds of peers. */
  void infer() {
    TransferTimes<String> seen;
    synchronized (this) {
      if (!news) {
        return;
      }
      news = false;
      seen = times.copy();
    }
    Optional<InferredRacks<String>> inferred = inference.infer(seen);
    if (!inferred.map(InferredRacks::rackOf).equals(racks.map(InferredRacks::rackOf))) {
      LOG.info("Racks inferred: {}", inferred);
    }
    racks = inferred;
  }
}
