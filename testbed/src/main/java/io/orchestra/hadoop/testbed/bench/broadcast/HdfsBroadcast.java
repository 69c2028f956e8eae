package io.orchestra.hadoop.testbed.bench.broadcast;

import com.google.common.base.Splitter;
import com.google.common.collect.Iterables;
import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Receivers read files with HDFS's own client as a localizer does, with or without our plugin. Each
 * trial has files of its own, which no cache holds.
 */
final class HdfsBroadcast implements Broadcast {
  private static final String FILE = BenchCluster.DIRECTORY + "/file";

  /** Seconds, bytes, checksum. */
  private static final int WORDS_OF_FILE = 3;

  private final BroadcastTestbed testbed;
  private final Cell cell;
  private final Way way;
  private final boolean disturbed;
  private final List<String> files;
  private Cast cast;
  private Reception.Content written;
  private SwarmFigures before;
  private Map<String, Reception.Content> received;

  /**
   * @param disturbed whether something goes wrong: not all bytes need to come through the plugin
   */
  HdfsBroadcast(BroadcastTestbed testbed, Cell cell, Way way, boolean disturbed) {
    this.testbed = testbed;
    this.cell = cell;
    this.way = way;
    this.disturbed = disturbed;
    files = IntStream.range(0, cell.files()).mapToObj(number -> FILE + number).toList();
  }

  @Override
  public void prepare(Trial trial) {
    testbed.bench().emptyDirectory();
    if (way.isOurs()) {
      testbed.refresh(way.liveSettings());
    }
    cast = testbed.draw(trial, cell, way.replicas());
    written =
        Reception.Content.of(
            IntStream.range(0, files.size())
                .mapToObj(
                    number ->
                        testbed.put(
                            files.get(number),
                            cell.bytes(),
                            trial.seed() + number,
                            cast.replicas().get(number)))
                .toList());
    before = testbed.figures();
  }

  @Override
  public Measurement measure(Trial trial) {
    List<Double> seconds = new ArrayList<>();
    received = new LinkedHashMap<>();
    testbed
        .read(files, cast.receivers(), way.isOurs())
        .forEach(
            (host, answer) -> {
              List<Reception.Content> contents = new ArrayList<>();
              for (List<String> words :
                  Iterables.partition(Splitter.on(' ').split(answer), WORDS_OF_FILE)) {
                seconds.add(Double.valueOf(words.get(0)));
                contents.add(Reception.Content.parse(words.get(1) + " " + words.get(2)));
              }
              received.put(host, Reception.Content.of(contents));
            });
    Measurement.Builder measurement = Measurement.builder();
    new Reception(seconds).addTo(measurement, cell);
    return measurement.build();
  }

  @Override
  public void inspect(Trial trial, Measurement.Builder measurement) {
    Reception.check(measurement, written, received);
    testbed.bench().checkClient(measurement);
    SwarmFigures moved = testbed.figures().since(before);
    if (!way.isOurs()) {
      moved.addIdle(measurement);
    } else if (disturbed) {
      moved.addLocalizing(measurement);
    } else {
      moved.addActing(measurement, cast.receivers(), cell.files() * cell.bytes());
      if (cell.files() > 1) {
        moved.addTurns(measurement, way != Way.CORNET_TOGETHER);
      }
    }
  }

  @Override
  public void cleanUp() {}
}
