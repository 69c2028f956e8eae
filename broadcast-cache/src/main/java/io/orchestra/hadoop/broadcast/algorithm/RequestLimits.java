package io.orchestra.hadoop.broadcast.algorithm;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How many pieces a receiver has asked for and not got.
 *
 * @param inAll of all neighbours together
 * @param perNeighbour of one: the next is asked for before the last has come
 * @param far of all far neighbours together; twice as many where the way to them is not expensive
 */
public record RequestLimits(int inAll, int perNeighbour, int far) {
  public RequestLimits {
    checkArgument(
        inAll > 0 && perNeighbour > 0 && far > 0, "limits of %s, %s, %s", inAll, perNeighbour, far);
  }

  /** The same, but all may be asked of one neighbour. */
  public RequestLimits ofOne() {
    return new RequestLimits(inAll, inAll, far);
  }
}
