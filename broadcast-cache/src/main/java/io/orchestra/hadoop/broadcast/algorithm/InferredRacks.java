package io.orchestra.hadoop.broadcast.algorithm;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which peers seem to share a rack.
 *
 * @param rackOf from a peer to the number of its rack, from 0 on; a peer of which too little is
 *     known is missing
 * @param count how many racks there are
 * @param scores the Bayesian information criterion of each number of Gaussians tried, from 1 on:
 *     those of the lowest were proposed as racks
 * @param spread milliseconds: what the peers of a rack may differ by
 * @param <P> identity of a peer
 */
public record InferredRacks<P>(
    Map<P, Integer> rackOf, int count, List<Double> scores, double spread) {
  public InferredRacks {
    rackOf = Collections.unmodifiableMap(new LinkedHashMap<>(rackOf));
    scores = List.copyOf(scores);
  }

  /** Whether two peers are known to be in different racks. */
  public boolean apart(P one, P other) {
    Integer rack = rackOf.get(one);
    Integer another = rackOf.get(other);
    return rack != null && another != null && !rack.equals(another);
  }
}
