package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * On a worker: writes files with HDFS's own client, counts background traffic.
 *
 * <ul>
 *   <li>{@code write PREFIX COUNT BYTES REPLICAS}: writes so many files of one block, one after the
 *       other; answers {@code wrote SECONDS CRC} after each, with the CRC32C of what it wrote, and
 *       {@code done} at the end
 *   <li>{@code traffic}: answers {@code traffic BYTES}, received so far
 *   <li>{@code oracle NAMENODE:PORT UUID LIFETIME_SECONDS RATE CAPACITY [FROM TO]…}: reports the
 *       link's load in the DataNode's name as it will be, see {@link OracleReporter}; {@code
 *       honest} ends that
 *   <li>{@code heard}: answers {@code heard ACCEPTED REJECTED FAILED}, how many of those reports
 *       the collector has taken and refused so far and how many did not reach it
 * </ul>
 */
public final class WorkerAgent {
  private static final int BUFFER = 64 * 1024;

  private final Conversation conversation;
  private final Configuration conf = new Configuration();
  private final FileSystem files;
  private OracleReporter oracle;

  private WorkerAgent(Conversation conversation) throws IOException {
    this.conversation = conversation;
    files = FileSystem.get(conf);
  }

  public static void main(String[] arguments) throws IOException {
    Conversation conversation = new Conversation();
    WorkerAgent agent = new WorkerAgent(conversation);
    TrafficSink sink = TrafficSink.open();
    conversation.answer(
        "ready " + DFSClient.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    conversation.listenToTheEnd(
        (verb, words) -> {
          switch (verb) {
            case "write" -> agent.write(words);
            case "traffic" -> conversation.answer("traffic " + sink.bytes());
            case "oracle" -> agent.foretell(words);
            case "heard" -> agent.tellWhatWasHeard();
            case "honest" -> agent.stopForetelling();
            default -> throw new IllegalArgumentException(verb);
          }
        });
  }

  private void write(List<String> words) {
    DaemonThread.of(
            "writer",
            () -> {
              try {
                writeAll(
                    words.get(0),
                    Integer.parseInt(words.get(1)),
                    Integer.parseInt(words.get(2)),
                    Short.parseShort(words.get(3)));
                conversation.answer("done");
              } catch (IOException | RuntimeException e) {
                conversation.fail(e);
              }
            })
        .start();
  }

  private void writeAll(String prefix, int count, int bytes, short replicas) throws IOException {
    for (int number = 0; number < count; number++) {
      String file = prefix + number;
      byte[] content = new byte[BUFFER];
      new Random(file.hashCode()).nextBytes(content);
      CRC32C sum = new CRC32C();
      long start = System.nanoTime();
      try (OutputStream out =
          new CheckedOutputStream(
              files.create(new Path(file), true, BUFFER, replicas, bytes), sum)) {
        for (int left = bytes; left > 0; left -= BUFFER) {
          // No two pieces are equal, so that none can stand for another.
          ByteBuffer.wrap(content).putInt(left);
          out.write(content, 0, Math.min(left, BUFFER));
        }
      }
      conversation.answer(
          "wrote %s 0x%08x".formatted((System.nanoTime() - start) / 1e9, sum.getValue()));
    }
  }

  private void foretell(List<String> words) throws IOException {
    stopForetelling();
    oracle = OracleReporter.start(conf, words);
  }

  private void tellWhatWasHeard() {
    if (oracle == null) {
      throw new IllegalStateException("no oracle reports");
    }
    conversation.answer("heard " + oracle.counts());
  }

  private void stopForetelling() {
    if (oracle != null) {
      oracle.close();
      oracle = null;
    }
  }
}
