package io.orchestra.hadoop.prefetch.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InputSplitsTest {
  private static final String[] HOSTS = {"h1", "h2"};

  private static final CombineFileSplit COMBINED =
      new CombineFileSplit(
          new Path[] {new Path("/a"), new Path("/b")},
          new long[] {16, 0},
          new long[] {100, 20},
          HOSTS);

  @TempDir private java.nio.file.Path directory;

  @Test
  void partsOfFilesOfBothKinds() throws IOException {
    FileSplit own = new FileSplit(new Path("/file"), 5, 7, HOSTS);
    assertThat(read(FileSplit.class.getName(), own)).containsExactly("/file 5 7");
    assertThat(read(org.apache.hadoop.mapred.FileSplit.class.getName(), own))
        .containsExactly("/file 5 7");
  }

  @Test
  void whatASplitCombines() throws IOException {
    assertThat(read(CombineFileSplit.class.getName(), COMBINED))
        .containsExactly("/a 16 100", "/b 0 20");
  }

  @Test
  void asSplitsOfJobsReadThemselves() throws IOException {
    assertThat(read(OfAJob.class.getName(), new OfAJob(COMBINED)))
        .containsExactly("/a 16 100", "/b 0 20");
  }

  @Test
  void nothingOfOtherSplitsAndOfClassesThatAreNotThere() throws IOException {
    assertThat(read("org.example.NotThere", COMBINED)).isEmpty();
    assertThat(read(Text.class.getName(), new Text("/a"))).isEmpty();
  }

  @Test
  void otherSplitsOfJobsAreNotEvenMade() throws IOException {
    assertThat(read(PartOfAJob.class.getName(), new FileSplit(new Path("/file"), 5, 7, HOSTS)))
        .isEmpty();
    assertThat(PartOfAJob.made).isFalse();
  }

  @Test
  void namesWithoutEndAreFailures() {
    assertThatThrownBy(() -> read("n".repeat(10_000), new Text())).isInstanceOf(IOException.class);
  }

  @Test
  void splitsThatCannotReadThemselvesAreFailures() {
    assertThatThrownBy(() -> read(OfAJob.class.getName(), new Text("short")))
        .isInstanceOf(IOException.class);
  }

  /** Written behind something else, as the second of two maps is. */
  private List<String> read(String name, Writable split) throws IOException {
    DataOutputBuffer buffer = new DataOutputBuffer();
    buffer.writeLong(1);
    long start = buffer.getLength();
    Text.writeString(buffer, name);
    split.write(buffer);
    java.nio.file.Path file = directory.resolve("job.split");
    try (var out = Files.newOutputStream(file)) {
      out.write(buffer.getData(), 0, buffer.getLength());
    }
    return InputSplits.read(
            new Configuration(false), new TaskSplitIndex(file.toUri().toString(), start))
        .stream()
        .map(part -> "%s %d %d".formatted(part.getPath(), part.getStart(), part.getLength()))
        .toList();
  }

  /** Has a field of its own, before what it combines. */
  public static final class OfAJob extends CombineFileSplit {
    private static final int MARK = 4711;

    public OfAJob() {}

    OfAJob(CombineFileSplit split) throws IOException {
      super(split);
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeInt(MARK);
      super.write(out);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      if (in.readInt() != MARK) {
        throw new IOException("not mine");
      }
      super.readFields(in);
    }
  }

  /** Does as it likes wherever it is made. */
  public static final class PartOfAJob extends FileSplit {
    private static boolean made;

    public PartOfAJob() {
      made = true;
    }
  }
}
