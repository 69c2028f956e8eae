package io.orchestra.hadoop.testbed.bench.broadcast;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Receivers read a file with HDFS's own client as a localizer does, with or without our plugin.
 * Each trial has a file of its own, which no cache holds.
 */
final class HdfsBroadcast implements Broadcast {
  private static final String FILE = BenchCluster.DIRECTORY + "/file";

  private final BroadcastTestbed testbed;
  private final Cell cell;
  private final Way way;
  private Cast cast;
  private Reception.Content written;
  private SwarmFigures before;
  private Map<String, Reception.Content> received;

  HdfsBroadcast(BroadcastTestbed testbed, Cell cell, Way way) {
    this.testbed = testbed;
    this.cell = cell;
    this.way = way;
  }

  @Override
  public void prepare(Trial trial) {
    testbed.bench().emptyDirectory();
    if (way.isOurs()) {
      testbed.refresh(way.liveSettings());
    }
    cast = testbed.draw(trial, cell.receivers(), way.replicas());
    written = testbed.put(FILE, cell.bytes(), trial.seed(), cast.holders());
    before = testbed.figures();
  }

  @Override
  public Measurement measure(Trial trial) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    received = new LinkedHashMap<>();
    testbed
        .read(FILE, cast.receivers(), way.isOurs())
        .forEach(
            (host, answer) -> {
              List<String> words = Splitter.on(' ').limit(2).splitToList(answer);
              seconds.put(host, Double.valueOf(words.get(0)));
              received.put(host, Reception.Content.parse(words.get(1)));
            });
    Measurement.Builder measurement = Measurement.builder();
    new Reception(seconds).addTo(measurement, cell);
    return measurement.build();
  }

  @Override
  public void inspect(Trial trial, Measurement.Builder measurement) {
    SwarmFigures moved = inspectBytes(measurement);
    if (way.isOurs()) {
      moved.addActing(measurement, cast.receivers(), cell.bytes());
    } else {
      moved.addIdle(measurement);
    }
  }

  /**
   * Adds the checks that hold whatever goes wrong.
   *
   * @return what the plugin moved
   */
  SwarmFigures inspectBytes(Measurement.Builder measurement) {
    Reception.check(measurement, written, received);
    testbed.bench().checkClient(measurement);
    return testbed.figures().since(before);
  }

  @Override
  public void cleanUp() {}
}
