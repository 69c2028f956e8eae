package io.orchestra.hadoop.testbed.bench.broadcast;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.Opened;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.Waiting;
import io.orchestra.hadoop.testbed.bench.cluster.Agents;
import io.orchestra.hadoop.testbed.bench.cluster.BenchCluster;
import io.orchestra.hadoop.testbed.cluster.HadoopClient;
import io.orchestra.hadoop.testbed.cluster.Prerequisites;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.host.HostProgram;
import io.orchestra.hadoop.testbed.network.Host;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file in a swarm of clients that are not ours, as Debian has them: aria2, with opentracker on
 * the master. Nobody leaves before it is closed.
 */
final class BitTorrent implements AutoCloseable {
  /** The programs it needs, each in the Debian package that it is named by. */
  private static final Map<String, String> PROGRAMS =
      Map.of("aria2c", "aria2", "opentracker", "opentracker", "mktorrent", "mktorrent");

  private static final Duration LONGEST_DOWNLOAD = Duration.ofMinutes(20);
  private static final int LONGEST_START_SECONDS = 30;
  private static final int TRACKER_PORT = 6969;
  private static final String DIRECTORY = "/tmp/bittorrent";
  private static final String FILE = "data";

  /** Pieces of 2^16 bytes, as the smallest of our plugin. */
  private static final String PIECE_EXPONENT = "16";

  private static final Pattern INFO_HASH = Pattern.compile("Info Hash: ([0-9a-f]{40})");

  /** Begins when told to, and ends with its input. */
  private static final String CLIENT =
      """
      read -r _ || exit 0
      date +'begin %s.%N'
      aria2c "$@" &
      read -r _
      kill -KILL $!
      """;

  private static final String TRACKER =
      """
      opentracker "$@" >&2 &
      read -r _
      kill -KILL $!
      """;

  private static final String COMPLETE =
      """
      #!/bin/sh
      date +'complete %s.%N'
      """;

  private final BenchCluster bench;
  private final Cast cast;
  private final Path work;
  private final List<HostProgram> programs = new ArrayList<>();
  private final Map<String, HostProgram> receivers = new LinkedHashMap<>();
  private Reception.Content written;

  private BitTorrent(BenchCluster bench, Cast cast) {
    this.bench = bench;
    this.cast = cast;
    work = bench.cluster().directory().root().resolve("bittorrent");
  }

  /** What this machine lacks for it, with the remedy; nothing if it can be run. */
  static Optional<String> missing() {
    List<String> absent =
        PROGRAMS.keySet().stream().filter(program -> !Prerequisites.has(program)).sorted().toList();
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "no BitTorrent client here: apt-get install "
                + String.join(" ", absent.stream().map(PROGRAMS::get).toList()));
  }

  /**
   * Has holders seed a new file, and receivers wait to be told to begin.
   *
   * @param seed what the file's bytes follow from
   */
  static BitTorrent start(BenchCluster bench, Cast cast, long bytes, long seed) {
    return Opened.prepared(new BitTorrent(bench, cast), swarm -> swarm.prepare(bytes, seed));
  }

  private void prepare(long bytes, long seed) {
    deleteAll();
    FileTree.directory(work);
    Map<String, String> made =
        bench
            .agents()
            .all(
                cast.holders(),
                "make %s/seed/%s %d %d".formatted(DIRECTORY, FILE, bytes, seed),
                "made ",
                LONGEST_DOWNLOAD);
    written = new Reception.Content(bytes, made.values().iterator().next());
    Path hook = work.resolve("complete");
    FileTree.write(hook, COMPLETE);
    String unused = Command.of("chmod", "755", hook.toString()).output();
    String infoHash = describe(cast.holders().get(0));
    track(infoHash);
    for (String holder : cast.holders()) {
      HostProgram client = client(holder, "seed", List.of("--bt-seed-unverified=true"));
      client.send("begin");
      programs.add(client);
    }
    awaitSeeds(infoHash);
    for (String receiver : cast.receivers()) {
      HostProgram client =
          client(receiver, "received", List.of("--on-bt-download-complete=" + hook));
      programs.add(client);
      receivers.put(receiver, client);
    }
  }

  /** What is seeded. */
  Reception.Content written() {
    return written;
  }

  private Host master() {
    return bench.cluster().plan().firstMaster();
  }

  private Path torrent() {
    return work.resolve("file.torrent");
  }

  /** Makes the torrent and returns the hash by which it is known. */
  private String describe(String holder) {
    Path file = onMachine(holder).resolve("seed").resolve(FILE);
    String unused =
        Command.of(
                "mktorrent",
                "-a",
                "http://%s:%d/announce".formatted(master().address(), TRACKER_PORT),
                "-l",
                PIECE_EXPONENT,
                "-o",
                torrent().toString(),
                file.toString())
            .output();
    unused = Command.of("chmod", "644", torrent().toString()).output();
    Matcher hash =
        INFO_HASH.matcher(Command.of("aria2c", "--show-files=true", torrent().toString()).output());
    if (!hash.find()) {
      throw new TestbedException("aria2c does not tell the hash of " + torrent());
    }
    return hash.group(1);
  }

  /** Debian's tracker serves the torrents that it is told, and no others. */
  private void track(String infoHash) {
    Path allowed = work.resolve("allowed");
    FileTree.write(allowed, infoHash + "\n");
    programs.add(
        start(
            master(),
            "bench-tracker",
            TRACKER,
            List.of(
                "-i",
                master().address(),
                "-p",
                Integer.toString(TRACKER_PORT),
                "-w",
                allowed.toString())));
  }

  private HostProgram client(String host, String directory, List<String> more) {
    List<String> words = new ArrayList<>();
    words.add("--quiet");
    words.add("--no-conf");
    words.add("--dir=" + DIRECTORY + "/" + directory);
    words.add("--file-allocation=none");
    words.add("--enable-dht=false");
    words.add("--bt-enable-lpd=false");
    words.add("--disable-ipv6=true");
    words.add("--listen-port=6881");
    // Nobody stops giving because it has given enough.
    words.add("--seed-ratio=0.0");
    words.addAll(more);
    words.add(torrent().toString());
    return start(bench.cluster().host(host), "bench-bittorrent", CLIENT, words);
  }

  private HostProgram start(Host host, String name, String script, List<String> words) {
    List<String> all = new ArrayList<>(List.of("bash", "-c", script, name));
    all.addAll(words);
    return new HadoopClient(bench.cluster(), host, Optional.of(Account.ALICE)).start(name, all);
  }

  private void awaitSeeds(String infoHash) {
    String escaped = "%" + String.join("%", Splitter.fixedLength(2).split(infoHash));
    String url =
        "http://%s:%d/scrape?info_hash=%s".formatted(master().address(), TRACKER_PORT, escaped);
    String complete = "8:completei%de".formatted(cast.holders().size());
    Waiting.until(
        () ->
            bench
                .cluster()
                .firstMaster()
                .command(Optional.empty(), List.of("curl", "--silent", url))
                .run()
                .output()
                .contains(complete),
        "all seeds to find their tracker",
        LONGEST_START_SECONDS);
  }

  /** Has the receivers begin, all at once, and returns when all are complete. */
  Reception run() {
    receivers.values().forEach(client -> client.send("begin"));
    List<Double> seconds = new ArrayList<>();
    receivers
        .values()
        .forEach(
            client -> {
              double begin =
                  Double.parseDouble(Agents.expect("begin ", client.receive(LONGEST_DOWNLOAD)));
              double end =
                  Double.parseDouble(Agents.expect("complete ", client.receive(LONGEST_DOWNLOAD)));
              seconds.add(end - begin);
            });
    return new Reception(seconds);
  }

  /** What each receiver has. */
  Map<String, Reception.Content> received() {
    Map<String, Reception.Content> received = new LinkedHashMap<>();
    bench
        .agents()
        .all(
            cast.receivers(),
            "sum %s/received/%s".formatted(DIRECTORY, FILE),
            "sum ",
            LONGEST_DOWNLOAD)
        .forEach((host, words) -> received.put(host, Reception.Content.parse(words)));
    return received;
  }

  @Override
  public void close() {
    programs.forEach(HostProgram::close);
    deleteAll();
  }

  private void deleteAll() {
    bench.workers().forEach(host -> FileTree.delete(onMachine(host)));
    FileTree.delete(work);
  }

  /** What a host has in its own temporary directory. */
  private Path onMachine(String host) {
    return bench
        .cluster()
        .directory()
        .host(host)
        .resolve(Path.of("/").relativize(Path.of(DIRECTORY)));
  }
}
