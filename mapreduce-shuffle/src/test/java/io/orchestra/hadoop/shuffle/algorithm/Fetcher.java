package io.orchestra.hadoop.shuffle.algorithm;

import java.util.Optional;

/** How one receiver of a simulated shuffle fetches. */
interface Fetcher {

  /**
   * Work of one flow.
   *
   * @param weight of its flow
   * @param ended to be called when all bytes are here
   */
  record Fetch(int sender, long bytes, double weight, Runnable ended) {}

  /**
   * A map output is ready.
   *
   * @param output its number, unique among all senders
   */
  void offer(int sender, int output, Share size);

  /** What to begin now, besides what is under way; empty if nothing more. */
  Optional<Fetch> next();
}
