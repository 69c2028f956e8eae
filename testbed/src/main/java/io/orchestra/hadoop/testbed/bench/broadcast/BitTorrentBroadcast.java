package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.bench.Measurement;
import io.orchestra.hadoop.testbed.bench.Trial;
import java.util.Optional;

/** The hosts that would hold replicas seed the file, and the receivers have it by BitTorrent. */
final class BitTorrentBroadcast implements Broadcast {
  private final BroadcastTestbed testbed;
  private final Cell cell;
  private Optional<BitTorrent> swarm = Optional.empty();

  BitTorrentBroadcast(BroadcastTestbed testbed, Cell cell) {
    this.testbed = testbed;
    this.cell = cell;
  }

  @Override
  public void prepare(Trial trial) {
    testbed.bench().emptyDirectory();
    Cast cast = testbed.draw(trial, cell, Way.BITTORRENT.replicas());
    swarm = Optional.of(BitTorrent.start(testbed.bench(), cast, cell.bytes(), trial.seed()));
  }

  @Override
  public Measurement measure(Trial trial) {
    Measurement.Builder measurement = Measurement.builder();
    swarm.orElseThrow().run().addTo(measurement, cell);
    return measurement.build();
  }

  @Override
  public void inspect(Trial trial, Measurement.Builder measurement) {
    BitTorrent complete = swarm.orElseThrow();
    Reception.check(measurement, complete.written(), complete.received());
  }

  @Override
  public void cleanUp() {
    swarm.ifPresent(BitTorrent::close);
    swarm = Optional.empty();
  }
}
