package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.primitives.Ints;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Names of attempts of maps, as MapReduce writes them, without its classes. */
final class MapNames {
  private static final int PARTS = 6;

  private MapNames() {}

  /**
   * The attempt of a job that is named after its application. Made for each map of each report, and
   * therefore without a format.
   */
  static String attempt(ApplicationId job, int task, int attempt) {
    return "attempt_"
        + job.getClusterTimestamp()
        + '_'
        + Strings.padStart(Integer.toString(job.getId()), 4, '0')
        + "_m_"
        + Strings.padStart(Integer.toString(task), 6, '0')
        + '_'
        + attempt;
  }

  /** The number of an attempt's map; empty if this is none. */
  static OptionalInt task(String attempt) {
    List<String> parts = Splitter.on('_').splitToList(attempt);
    Integer task =
        parts.size() == PARTS && parts.get(3).equals("m") ? Ints.tryParse(parts.get(4)) : null;
    return task == null ? OptionalInt.empty() : OptionalInt.of(task);
  }
}
