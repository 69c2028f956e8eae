package io.orchestra.hadoop.testbed.process;

import java.util.Collections;
import java.util.List;

/**
 * What {@code /proc} says about one process.
 *
 * @param identity its pid on this machine and its start
 * @param pidNamespace the pid namespace it lives in, as the kernel prints it
 * @param first whether it is the first process, pid 1, of a namespace below this machine's
 * @param user who has started it, the real user on this machine
 * @param words its command line
 */
public record RunningProcess(
    ProcessIdentity identity, String pidNamespace, boolean first, long user, List<String> words) {

  public boolean isRoots() {
    return user == 0;
  }

  /** Whether these words follow one another in the command line. */
  public boolean runs(List<String> sequence) {
    return Collections.indexOfSubList(words, sequence) >= 0;
  }

  /**
   * A word of the command line behind a sequence that is in it; empty if there are not so many.
   *
   * @param distance zero for the very next
   */
  public String wordAfter(List<String> sequence, int distance) {
    int index = Collections.indexOfSubList(words, sequence) + sequence.size() + distance;
    return index < words.size() ? words.get(index) : "";
  }
}
