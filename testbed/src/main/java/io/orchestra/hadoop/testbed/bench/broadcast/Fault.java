package io.orchestra.hadoop.testbed.bench.broadcast;

import io.orchestra.hadoop.testbed.cluster.Faults;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.network.Rate;
import java.time.Duration;
import java.util.function.BiConsumer;

/** What goes wrong while a file is on its way. */
enum Fault {
  /** When it goes on, it sends what it was asked for. */
  STALLED_REPLICA(
      "stalled-replica",
      "a DataNode with a replica stands still",
      (faults, cast) -> faults.pause(cast.holders().get(0), Daemon.DATANODE),
      (faults, cast) -> faults.resume(cast.holders().get(0), Daemon.DATANODE),
      Duration.ofSeconds(40)),
  /** Nothing ends it here: the next trial gives all links their rates. */
  SLOW_REPLICA(
      "slow-replica",
      "the link of a host with a replica carries 5 Mbit/s",
      (faults, cast) -> faults.rate(cast.holders().get(0), Rate.parse("5mbit")),
      (faults, cast) -> {}),
  /** When it goes on, it brings in what it had begun, or gives that up after half a minute. */
  STALLED_RECEIVER(
      "stalled-receiver",
      "the DataNode of a receiver stands still",
      (faults, cast) -> faults.pause(cast.receivers().get(0), Daemon.DATANODE),
      (faults, cast) -> faults.resume(cast.receivers().get(0), Daemon.DATANODE),
      Duration.ofSeconds(40)),
  KILLED_RECEIVER(
      "killed-receiver",
      "the DataNode of a receiver is killed",
      (faults, cast) -> faults.kill(cast.receivers().get(0), Daemon.DATANODE),
      (faults, cast) -> faults.restart(cast.receivers().get(0), Daemon.DATANODE)),
  CUT_NAMENODE(
      "cut-namenode",
      "nobody reaches the NameNode, and thus the tracker, any more",
      (faults, cast) -> faults.cut("m1"),
      (faults, cast) -> faults.heal("m1"),
      Duration.ofSeconds(70));

  private final String title;
  private final String text;
  private final BiConsumer<Faults, Cast> begin;
  private final BiConsumer<Faults, Cast> end;
  private final Duration recovery;

  Fault(String title, String text, BiConsumer<Faults, Cast> begin, BiConsumer<Faults, Cast> end) {
    this(title, text, begin, end, Duration.ZERO);
  }

  Fault(
      String title,
      String text,
      BiConsumer<Faults, Cast> begin,
      BiConsumer<Faults, Cast> end,
      Duration recovery) {
    this.title = title;
    this.text = text;
    this.begin = begin;
    this.end = end;
    this.recovery = recovery;
  }

  /** As it is in names of experiments. */
  String title() {
    return title;
  }

  /** What happens, as a part of a sentence. */
  String text() {
    return text;
  }

  void begin(Faults faults, Cast cast) {
    begin.accept(faults, cast);
  }

  void end(Faults faults, Cast cast) {
    end.accept(faults, cast);
  }

  /** For how long the plugin remembers it after its end. */
  Duration recovery() {
    return recovery;
  }
}
