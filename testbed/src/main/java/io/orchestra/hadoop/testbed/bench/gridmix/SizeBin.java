package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.trace.TraceJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Thirds of the jobs of a trace, by their maps, and by their bytes where those are as many. */
enum SizeBin {
  SMALL,
  MEDIUM,
  LARGE;

  /** The figure that is its jobs' mean time. */
  String figure() {
    return name().toLowerCase(Locale.ROOT) + " jobs [s]";
  }

  /**
   * The bin of each job, in the order of the trace.
   *
   * @param jobs at least as many as there are bins
   */
  static List<SizeBin> of(List<TraceJob> jobs) {
    if (jobs.size() < values().length) {
      throw new IllegalArgumentException("too few jobs for bins: " + jobs.size());
    }
    List<Integer> ordered =
        IntStream.range(0, jobs.size())
            .boxed()
            .sorted(Comparator.comparing(jobs::get, TraceJob.BY_SIZE))
            .toList();
    List<SizeBin> bins = new ArrayList<>(jobs.stream().map(job -> SMALL).toList());
    for (int rank = 0; rank < ordered.size(); rank++) {
      bins.set(ordered.get(rank), values()[rank * values().length / ordered.size()]);
    }
    return List.copyOf(bins);
  }
}
