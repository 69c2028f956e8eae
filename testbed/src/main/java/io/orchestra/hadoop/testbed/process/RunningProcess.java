package io.orchestra.hadoop.testbed.process;

import java.util.Collections;
import java.util.List;

/**
 * What {@code /proc} says about one process.
 *
 * @param identity its pid on this machine and its start
 * @param pidNamespace the pid namespace it lives in, as the kernel prints it
 * @param first whether it is the first process, pid 1, of a namespace below this machine's
 * @param words its command line
 */
public record RunningProcess(
    ProcessIdentity identity, String pidNamespace, boolean first, List<String> words) {

  /** Whether these words follow one another in the command line. */
  public boolean runs(List<String> sequence) {
    return Collections.indexOfSubList(words, sequence) >= 0;
  }
}
