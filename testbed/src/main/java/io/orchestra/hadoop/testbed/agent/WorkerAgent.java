package io.orchestra.hadoop.testbed.agent;

import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * On a worker: writes and reads files with HDFS's own client, counts background traffic.
 *
 * <ul>
 *   <li>{@code write PREFIX COUNT BYTES REPLICAS}: writes so many files of one block, one after the
 *       other; answers {@code wrote SECONDS CRC} after each, with the CRC32C of what it wrote, and
 *       {@code done} at the end
 *   <li>{@code read stock PATH…}: brings files here at the same time as localizers do, see {@link
 *       Localization}; answers {@code read SECONDS BYTES CRC …}, with the CRC32C of what came of
 *       each
 *   <li>{@code read swarm PATH…}: the same with the plugins that the configuration names
 *   <li>{@code make PATH BYTES SEED}: writes a local file; answers {@code made CRC}
 *   <li>{@code sum PATH}: answers {@code sum BYTES CRC} of a local file
 *   <li>{@code figures SOURCE…}: answers {@code figures SOURCE.NAME=NUMBER …} of metrics sources in
 *       this host's DataNode
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
  private final Localization localization;
  private OracleReporter oracle;

  private WorkerAgent(Conversation conversation) throws IOException {
    this.conversation = conversation;
    files = FileSystem.get(conf);
    localization = new Localization();
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
            case "read" -> agent.read(words);
            case "make" ->
                agent.make(
                    java.nio.file.Path.of(words.get(0)),
                    Long.parseLong(words.get(1)),
                    Long.parseLong(words.get(2)));
            case "sum" -> agent.sum(java.nio.file.Path.of(words.get(0)));
            case "figures" -> agent.figures(words);
            case "traffic" -> conversation.answer("traffic " + sink.bytes());
            case "oracle" -> agent.foretell(words);
            case "heard" -> agent.tellWhatWasHeard();
            case "honest" -> agent.stopForetelling();
            default -> throw new IllegalArgumentException(verb);
          }
        });
  }

  private void read(List<String> words) {
    boolean plugins =
        switch (words.get(0)) {
          case "swarm" -> true;
          case "stock" -> false;
          default -> throw new IllegalArgumentException(words.get(0));
        };
    localization.begin(
        words.subList(1, words.size()).stream().map(Path::new).toList(), plugins, conversation);
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
      String sum;
      long start = System.nanoTime();
      try (OutputStream out = files.create(new Path(file), true, BUFFER, replicas, bytes)) {
        sum = Content.write(out, file.hashCode(), bytes);
      }
      conversation.answer("wrote %s %s".formatted((System.nanoTime() - start) / 1e9, sum));
    }
  }

  private void make(java.nio.file.Path file, long bytes, long seed) throws IOException {
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      conversation.answer("made " + Content.write(out, seed, bytes));
    }
  }

  private void sum(java.nio.file.Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Content.Copied read = Content.copy(in, OutputStream.nullOutputStream());
      conversation.answer("sum " + read.bytes() + " " + read.sum());
    }
  }

  private void figures(List<String> sources) throws IOException {
    StringBuilder answer = new StringBuilder("figures");
    for (String source : sources) {
      answer.append(
          DataNodeFigures.read(source).entrySet().stream()
              .map(figure -> " " + figure.getKey() + "=" + figure.getValue())
              .collect(Collectors.joining()));
    }
    conversation.answer(answer.toString());
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
