package io.orchestra.hadoop.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.junit.jupiter.api.Test;

final class MemoryStoreTest {
  private final byte[] memory = new byte[6];
  private final List<String> said = new ArrayList<>();
  private final MemoryStore store = new MemoryStore(new Reserved(), memory, 10);

  @Test
  void theChecksumAtTheEndIsKeptApartHoweverRangesAreCut() throws IOException {
    for (int cut = 0; cut <= 10; cut++) {
      byte[] sent = "abcdef0123".getBytes(StandardCharsets.US_ASCII);
      store.write(cut, ByteBuffer.wrap(sent, cut, 10 - cut));
      store.write(0, ByteBuffer.wrap(sent, 0, cut));

      assertThat(memory).asString(StandardCharsets.US_ASCII).isEqualTo("abcdef");
      try (InputStream all = store.read()) {
        assertThat(all.readAllBytes()).isEqualTo(sent);
      }
      store.write(0, ByteBuffer.wrap(new byte[10]));
    }
  }

  @Test
  void whatHadoopHasGivenGoesToItsMergeOrBackOnce() throws IOException {
    store.commit();
    store.abort();
    assertThat(said).containsExactly("commit");
    assertThatThrownBy(store::commit).isInstanceOf(IOException.class);
  }

  @Test
  void whatHasBeenGivenBackIsNotWrittenTo() {
    store.abort();
    store.abort();
    assertThat(said).containsExactly("abort");
    assertThatThrownBy(() -> store.write(0, ByteBuffer.wrap(new byte[] {1})))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(store::read).isInstanceOf(IOException.class);
    assertThat(memory).containsOnly(0);
  }

  private final class Reserved extends MapOutput<Text, Text> {
    Reserved() {
      super(TaskAttemptID.forName("attempt_1_0001_m_000000_0"), 6, true);
    }

    @Override
    public void shuffle(
        MapHost host,
        InputStream input,
        long compressedLength,
        long decompressedLength,
        ShuffleClientMetrics metrics,
        Reporter reporter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void commit() {
      said.add("commit");
    }

    @Override
    public void abort() {
      said.add("abort");
    }

    @Override
    public String getDescription() {
      return "";
    }
  }
}
