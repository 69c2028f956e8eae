package io.orchestra.hadoop.core.blockcache;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often the last reader goes to HDFS. */
record GivenUp(AtomicInteger times) implements WaitListener {
  @Override
  public void urgent(int piece) {}

  @Override
  public void givenUp() {
    times.incrementAndGet();
  }
}
