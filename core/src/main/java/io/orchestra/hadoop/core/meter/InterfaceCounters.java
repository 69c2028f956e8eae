package io.orchestra.hadoop.core.meter;

import java.io.IOException;

/** How many bytes a host's network interface has moved. */
@FunctionalInterface
public interface InterfaceCounters {

  /**
   * Counters since some moment in the past; they may wrap or start anew.
   *
   * @param received bytes
   * @param transmitted bytes
   * @param nanoTime when they were read, on the clock of {@link System#nanoTime}
   */
  record Reading(long received, long transmitted, long nanoTime) {}

  Reading read() throws IOException;
}
