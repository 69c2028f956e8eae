package io.orchestra.hadoop.core.meter;

import java.io.IOException;
import java.util.OptionalLong;

/** A host's network interface: how many bytes it has moved, and how fast its link is. */
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

  /**
   * @return bytes per second; empty when the interface does not know
   */
  OptionalLong linkCapacity();
}
