package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;

/** Asks the daemons of a cluster whether a plugin is on and works. */
@FunctionalInterface
interface LiveProbe {

  /**
   * @throws IOException if daemons do not answer, with their address in the message
   */
  void ask(LiveCluster cluster, Findings findings) throws IOException;
}
