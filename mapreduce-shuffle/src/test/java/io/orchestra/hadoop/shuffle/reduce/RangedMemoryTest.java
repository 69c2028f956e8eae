package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import io.orchestra.hadoop.shuffle.algorithm.Share;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleParts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs in the memory of Hadoop's own merge: whatever happens it gets all of it back, once. */
final class RangedMemoryTest {
  private static final TaskAttemptID FIRST = TaskAttemptID.forName(ShuffledJob.attempt(0));
  private static final int RAW = 6 << 20;
  private static final Sources.Size SIZE = new Sources.Size(new Share(RAW + 4, RAW + 4), RAW);

  @TempDir Path directory;
  private JobConf conf;
  private MergeManagerImpl<Text, Text> merger;
  private RangedOutputs<Text, Text> outputs;
  private int room;

  @BeforeEach
  void begin() throws IOException {
    Reducer reducer =
        new Reducer(
            directory.resolve("reduce"), new ShuffledJob(directory.resolve("local")), 1, 1, 0);
    conf = reducer.conf();
    conf.setLong("mapreduce.reduce.memory.totalbytes", 40 << 20);
    ShuffleConsumerPlugin.Context<Text, Text> context = reducer.context();
    merger =
        new MergeManagerImpl<>(
            context.getReduceId(),
            conf,
            context.getLocalFS(),
            context.getLocalDirAllocator(),
            context.getReporter(),
            null,
            null,
            null,
            context.getSpilledRecordsCounter(),
            context.getReduceCombineInputCounter(),
            context.getMergedMapOutputsCounter(),
            problem -> {},
            context.getMergePhase(),
            context.getMapOutputFile());
    outputs =
        new RangedOutputs<>(
            merger, context.getMapOutputFile(), ShuffleParts.largestInMemory(merger));
    room = room();
  }

  @AfterEach
  void end() {
    ShuffleParts.discard(merger);
  }

  /** How many outputs there is memory for. */
  private int room() throws IOException {
    List<MapOutput<Text, Text>> taken = take();
    taken.forEach(MapOutput::abort);
    return taken.size();
  }

  private List<MapOutput<Text, Text>> take() throws IOException {
    List<MapOutput<Text, Text>> taken = new ArrayList<>();
    Optional<MapOutput<Text, Text>> next = ShuffleParts.reserve(merger, FIRST, RAW);
    while (next.isPresent()) {
      taken.add(next.get());
      next = ShuffleParts.reserve(merger, FIRST, RAW);
    }
    return taken;
  }

  private RangedOutput<Text, Text> get() throws IOException {
    return outputs.get(FIRST, SIZE).orElseThrow();
  }

  /** What a host sends. */
  private static ByteBuffer sent() {
    byte[] data = new byte[RAW];
    new Random(1).nextBytes(data);
    CRC32 sum = new CRC32();
    sum.update(data);
    return ByteBuffer.allocate(RAW + 4).put(data).putInt((int) sum.getValue()).flip();
  }

  @Test
  void anOutputThatFitsHoldsMemoryUntilItIsDropped() throws IOException {
    assertThat(get().getDescription()).isEqualTo("RANGES IN MEMORY");
    assertThat(get().holdsMemory()).isTrue();
    assertThat(room()).isEqualTo(room - 1);
    outputs.abort();
    outputs.abort();

    assertThat(room()).isEqualTo(room);
  }

  @Test
  void whatIsDroppedByWhoeverSeesItFirstGivesItsMemoryBackOnce() throws IOException {
    RangedOutput<Text, Text> output = get();
    output.write(0, sent().limit(100));
    assertThat(output.abandon()).isTrue();
    output.abort();
    outputs.abort();
    output.abort();

    assertThat(room()).isEqualTo(room);
  }

  @Test
  void whatIsWholeGoesToTheMergeThoughNobodyNeedsItAnyMore() throws IOException {
    RangedOutput<Text, Text> output = get();
    output.write(0, sent());
    assertThat(output.finish()).isTrue();
    outputs.abort();
    output.verify(conf, Reporter.NULL);
    assertThat(outputs.count()).isZero();
    output.commit();
    assertThat(outputs.count()).isEqualTo(1);
    output.abort();

    assertThat(room()).as("it has not been merged").isEqualTo(room - 1);
  }

  @Test
  void whatIsWholeAndWrongGivesItsMemoryBack() throws IOException {
    RangedOutput<Text, Text> output = get();
    ByteBuffer wrong = sent();
    wrong.put(RAW / 2, (byte) ~wrong.get(RAW / 2));
    output.write(0, wrong);
    assertThat(output.finish()).isTrue();
    assertThatIOException().isThrownBy(() -> output.verify(conf, Reporter.NULL));
    output.abort();
    outputs.abort();

    assertThat(outputs.count()).isZero();
    assertThat(room()).isEqualTo(room);
  }

  @Test
  void whereThereIsNoMemoryAnOutputIsBegunLater() throws IOException {
    List<MapOutput<Text, Text>> taken = take();
    assertThatThrownBy(this::get).isInstanceOf(RangedOutputs.NoMemoryException.class);
    taken.forEach(MapOutput::abort);
    assertThat(get().getDescription()).isEqualTo("RANGES IN MEMORY");
    outputs.abort();

    assertThat(room()).isEqualTo(room);
  }
}
