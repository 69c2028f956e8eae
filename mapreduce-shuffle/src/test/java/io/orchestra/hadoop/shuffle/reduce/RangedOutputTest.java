package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RangedOutputTest {
  @TempDir Path directory;
  private RangedOutput<Text, Text> output;

  @BeforeEach
  void begin() throws IOException {
    output = output(TaskAttemptID.forName(ShuffledJob.attempt(0)));
  }

  private RangedOutput<Text, Text> output(TaskAttemptID id) throws IOException {
    RangeStore store = new FileStore(id, null, directory.resolve("map_0.out"), 6, 6);
    return new RangedOutput<>(id, store, 6, 6, () -> {});
  }

  @AfterEach
  void end() {
    output.abort();
  }

  private void write(long position, String bytes) throws IOException {
    output.write(position, ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII)));
  }

  private Path temporary() {
    return directory.resolve(ShuffledJob.attempt(0) + ".ranges");
  }

  @Test
  void rangesAreWhereTheyBelongInWhateverOrderTheyCome() throws IOException {
    write(4, "ef");
    write(0, "ab");
    write(2, "cd");

    assertThat(temporary()).hasContent("abcdef");
  }

  @Test
  void whatIsWrittenCountsAsWhatHadoopWritesToLocalFiles() throws IOException {
    FileSystem.Statistics statistics = FileSystem.getStatistics("file", RawLocalFileSystem.class);
    long before = statistics.getBytesWritten();
    write(3, "def");
    write(0, "abc");

    assertThat(statistics.getBytesWritten() - before).isEqualTo(6);
  }

  @Test
  void oneLaneFinishesItThoughSeveralSeeThatItIsWhole() throws IOException {
    write(0, "abc");
    assertThat(output.finish()).isFalse();
    write(3, "def");

    assertThat(output.finish()).isTrue();
    assertThat(output.finish()).isFalse();
  }

  @Test
  void whatIsAbandonedIsNotFinishedAndOneLaneIsToldSo() throws IOException {
    assertThat(output.holdsMemory()).isFalse();
    assertThat(output.abandon()).isTrue();
    assertThat(output.abandon()).isFalse();
    write(0, "abcdef");

    assertThat(output.isAbandoned()).isTrue();
    assertThat(output.finish()).isFalse();
  }

  @Test
  void whatIsWholeIsAbandonedByNobodyButWhoFinishesIt() throws IOException {
    write(0, "abcdef");

    assertThat(output.abandon()).isFalse();
    assertThat(output.finish()).isTrue();
    assertThat(output.abandon()).isFalse();
    assertThat(output.isAbandoned()).isFalse();
  }

  @Test
  void attemptsOfOneMapAreKeptApart() throws IOException {
    write(0, "abc");
    RangedOutput<Text, Text> other = output(TaskAttemptID.forName(ShuffledJob.attempt(0, 1)));
    other.write(0, ByteBuffer.wrap("uvwxyz".getBytes(StandardCharsets.US_ASCII)));
    other.abort();

    assertThat(temporary()).hasContent("abc");
  }

  @Test
  void aFileThatCannotBeDeletedIsLeftBehind() throws IOException {
    Files.delete(temporary());
    Files.createDirectories(temporary().resolve("something"));

    assertThatCode(output::abort).doesNotThrowAnyException();
  }

  @Test
  void nothingIsLeftOfWhatIsAborted() throws IOException {
    write(0, "abc");
    output.abort();

    assertThat(Files.list(directory)).isEmpty();
  }
}
