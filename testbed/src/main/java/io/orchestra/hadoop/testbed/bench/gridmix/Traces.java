package io.orchestra.hadoop.testbed.bench.gridmix;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.bench.Workload;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.trace.SwimTrace;
import io.orchestra.hadoop.testbed.trace.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The traces that GridMix replays here. */
final class Traces {
  private static final String RECORDED = "recorded-trace.json";

  /** About what the recorded trace has, of jobs, of bytes, and of time. */
  private static final SwimTrace SWIM =
      new SwimTrace(12, GridmixTestbed.BLOCK_BYTES, 24, 2_000_000_000L, 66);

  private Traces() {}

  static Trace of(Workload workload) {
    return workload
        .swim()
        .map(file -> requireBins(file, SWIM.convert(FileTree.read(file), workload.scale())))
        .orElseGet(Traces::recorded);
  }

  private static Trace requireBins(Path file, Trace trace) {
    int bins = SizeBin.values().length;
    if (trace.jobs().size() < bins) {
      throw new TestbedException(
          "%s has %d jobs, and figures of small, medium and large ones need %d at least"
              .formatted(file, trace.jobs().size(), bins));
    }
    return trace;
  }

  /** The one that comes with the project. */
  static Trace recorded() {
    try (InputStream stream = Traces.class.getResourceAsStream(RECORDED)) {
      return Trace.parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
