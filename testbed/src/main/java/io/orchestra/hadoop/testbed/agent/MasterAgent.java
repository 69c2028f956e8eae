package io.orchestra.hadoop.testbed.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;

/**
 * On a master, as HDFS's superuser.
 *
 * <ul>
 *   <li>{@code dfsadmin WORDS}: what the program of this name does; answers {@code status N} and
 *       what it printed
 *   <li>{@code reconfigure NAMENODE:PORT}: makes it read its files again; answers {@code
 *       reconfigured} once it has
 *   <li>{@code fresh DIRECTORY}: an empty directory that all may write; answers {@code fresh}
 *   <li>{@code put FILE BYTES SEED HOST…}: writes a file of at most 128 MiB, with a replica on each
 *       of these hosts; answers {@code put CRC}, the CRC32C of what it wrote, once all are there
 *   <li>{@code random FILE BYTES SEED HOST…}: the same, but no byte follows from others; slower
 *   <li>{@code text FILE BYTES SEED HOST…}: the same, of lines of letters
 *   <li>{@code nodes}: answers {@code nodes HOST=UUID …} of all live DataNodes
 *   <li>{@code check DIRECTORY REPLICAS}: answers {@code files COUNT BYTES COMPLETE HOST=BYTES …}:
 *       how many files there are, their length, how many have all replicas, and where those are
 *   <li>{@code checksum DIRECTORY}: answers {@code checksum FILE=SUM …}
 * </ul>
 */
public final class MasterAgent {
  private static final int LONGEST_RECONFIGURATION = 300;
  private static final int PAUSE_MILLIS = 100;
  private static final int LONGEST_REPLICA_REPORT = 600;
  private static final int TRANSFER_PORT = 9866;
  private static final int BUFFER = 64 * 1024;

  /** HDFS's default: most files are one block. */
  private static final long USUAL_BLOCK = 128L << 20;

  private final Conversation conversation;
  private final DistributedFileSystem files;

  private MasterAgent(Conversation conversation) throws IOException {
    this.conversation = conversation;
    Configuration conf = new Configuration();
    // So that checksums do not depend on the size of blocks.
    conf.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
    files = (DistributedFileSystem) FileSystem.get(conf);
  }

  public static void main(String[] arguments) throws IOException {
    Conversation conversation = new Conversation();
    MasterAgent agent = new MasterAgent(conversation);
    conversation.answer("ready");
    conversation.listenToTheEnd(
        (verb, words) -> {
          switch (verb) {
            case "dfsadmin" -> agent.dfsadmin(words);
            case "reconfigure" -> agent.reconfigure(words.get(0));
            case "fresh" -> agent.fresh(new Path(words.get(0)));
            case "put" -> agent.put(words, Content::write);
            case "random" -> agent.put(words, Content::writeRandom);
            case "text" -> agent.put(words, Content::writeText);
            case "nodes" -> agent.nodes();
            case "check" -> agent.check(new Path(words.get(0)), Integer.parseInt(words.get(1)));
            case "checksum" -> agent.checksum(new Path(words.get(0)));
            default -> throw new IllegalArgumentException(verb);
          }
        });
  }

  private void dfsadmin(List<String> words) throws Exception {
    conversation.answer("status " + run(words.toArray(String[]::new)).replace('\n', ' '));
  }

  private void reconfigure(String namenode) throws Exception {
    run("-reconfig", "namenode", namenode, "start");
    String status = run("-reconfig", "namenode", namenode, "status");
    for (int wait = 0; !status.contains("finished") && wait < LONGEST_RECONFIGURATION; wait++) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      status = run("-reconfig", "namenode", namenode, "status");
    }
    if (!status.contains("finished") || status.contains("FAILED")) {
      throw new IOException(status);
    }
    conversation.answer("reconfigured");
  }

  /**
   * @return the exit status, and what was printed
   */
  private static String run(String... words) throws Exception {
    PrintStream log = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(capture);
      int status = ToolRunner.run(new DFSAdmin(new Configuration()), words);
      return status + " " + printed.toString(StandardCharsets.UTF_8);
    } finally {
      System.setOut(log);
    }
  }

  private void fresh(Path directory) throws IOException {
    files.delete(directory, true);
    FsPermission all = new FsPermission((short) 0777);
    files.mkdirs(directory, all);
    files.setPermission(directory, all);
    conversation.answer("fresh");
  }

  /** Writes so many bytes that follow from a seed, and returns their checksum. */
  @FunctionalInterface
  private interface Writer {
    String write(OutputStream out, long seed, long bytes) throws IOException;
  }

  private void put(List<String> words, Writer content) throws IOException, InterruptedException {
    Path file = new Path(words.get(0));
    long bytes = Long.parseLong(words.get(1));
    long seed = Long.parseLong(words.get(2));
    List<String> hosts = words.subList(3, words.size());
    InetSocketAddress[] nodes =
        hosts.stream()
            .map(host -> new InetSocketAddress(host, TRANSFER_PORT))
            .toArray(InetSocketAddress[]::new);
    String sum;
    try (OutputStream out =
        files.create(
            file,
            FsPermission.getFileDefault(),
            true,
            BUFFER,
            (short) hosts.size(),
            USUAL_BLOCK,
            null,
            nodes)) {
      sum = content.write(out, seed, bytes);
    }
    requireReplicas(file, new TreeSet<>(hosts));
    conversation.answer("put " + sum);
  }

  /**
   * The NameNode takes the writer's wish for hosts as one, and learns of replicas a little later.
   */
  private void requireReplicas(Path file, Set<String> hosts)
      throws IOException, InterruptedException {
    Set<String> found = holders(file);
    for (int wait = 0; !found.equals(hosts) && wait < LONGEST_REPLICA_REPORT; wait++) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      found = holders(file);
    }
    if (!found.equals(hosts)) {
      throw new IOException("%s has replicas on %s, not on %s".formatted(file, found, hosts));
    }
  }

  private Set<String> holders(Path file) throws IOException {
    Set<String> hosts = new TreeSet<>();
    for (BlockLocation block : files.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
      hosts.addAll(List.of(block.getHosts()));
    }
    return hosts;
  }

  private void nodes() throws IOException {
    StringBuilder answer = new StringBuilder("nodes");
    for (DatanodeInfo node : files.getDataNodeStats()) {
      answer.append(' ').append(node.getHostName()).append('=').append(node.getDatanodeUuid());
    }
    conversation.answer(answer.toString());
  }

  private void check(Path directory, int replicas) throws IOException {
    int count = 0;
    int complete = 0;
    long bytes = 0;
    Map<String, Long> hosts = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> all = files.listFiles(directory, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      count++;
      bytes += file.getLen();
      boolean full = true;
      for (BlockLocation block : file.getBlockLocations()) {
        full &= block.getHosts().length == replicas;
        for (String host : block.getHosts()) {
          hosts.merge(host, block.getLength(), Long::sum);
        }
      }
      complete += full ? 1 : 0;
    }
    conversation.answer(
        "files %d %d %d %s"
            .formatted(
                count,
                bytes,
                complete,
                hosts.entrySet().stream()
                    .map(host -> host.getKey() + "=" + host.getValue())
                    .collect(Collectors.joining(" "))));
  }

  private void checksum(Path directory) throws IOException {
    StringBuilder answer = new StringBuilder("checksum");
    RemoteIterator<LocatedFileStatus> all = files.listFiles(directory, true);
    Map<String, String> sums = new TreeMap<>();
    while (all.hasNext()) {
      Path file = all.next().getPath();
      sums.put(file.getName(), String.valueOf(files.getFileChecksum(file)).replace(' ', '_'));
    }
    sums.forEach((file, sum) -> answer.append(' ').append(file).append('=').append(sum));
    conversation.answer(answer.toString());
  }
}
