package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.doctor.Finding.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What an examination has found, in the order in which it was looked at, each once. Used by one
 * thread.
 */
final class Findings {
  private final List<Finding> all = new ArrayList<>();

  void ok(String text) {
    add(new Finding(Level.OK, text, ""));
  }

  void note(String text, String remedy) {
    add(new Finding(Level.NOTE, text, remedy));
  }

  void problem(String text, String remedy) {
    add(new Finding(Level.PROBLEM, text, remedy));
  }

  void unknown(String text, String remedy) {
    add(new Finding(Level.UNKNOWN, text, remedy));
  }

  private void add(Finding finding) {
    if (!all.contains(finding)) {
      all.add(finding);
    }
  }

  /**
   * A daemon does not answer, or the configuration does not tell where it is.
   *
   * @param why with the daemon's address
   */
  void unanswered(String plugin, IOException why) {
    unknown(
        "%s: %s".formatted(plugin, why.getMessage()),
        why instanceof UnknownAddressException
            ? "correct the addresses of masters in the configuration, or name another directory with --conf"
            : "check that the daemon runs and can be reached from here; if its pages need authentication, kinit as an administrator");
  }

  List<Finding> all() {
    return List.copyOf(all);
  }

  /** 0 if nothing is wrong, 1 if there are problems, 2 if there may be where it could not look. */
  int exitStatus() {
    if (has(Level.PROBLEM)) {
      return 1;
    }
    return has(Level.UNKNOWN) ? 2 : 0;
  }

  private boolean has(Level level) {
    return all.stream().anyMatch(finding -> finding.level() == level);
  }
}
