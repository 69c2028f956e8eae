package io.orchestra.hadoop.testbed.bench.broadcast;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.Cluster;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.host.Account;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A large archive that a job gives to all its tasks; it holds one file that compressing would not
 * shorten.
 *
 * @param cluster on whose first master it lies
 * @param content of the file in it
 */
record JobArchive(Cluster cluster, Reception.Content content) {
  /** Where it is on the master. */
  static final String PATH = "/tmp/bench-job/data.zip";

  private static final String FILE = "data";
  private static final int CHUNK = 1_000_000;

  static JobArchive make(Cluster cluster, long bytes, long seed) {
    Path archive =
        onMachine(
            cluster, cluster.plan().firstMaster().name(), Path.of("/").relativize(Path.of(PATH)));
    FileTree.directory(archive.getParent());
    try (OutputStream out = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      zip.putNextEntry(new ZipEntry(FILE));
      Hasher sum = Hashing.crc32c().newHasher();
      Random random = new Random(seed);
      byte[] chunk = new byte[CHUNK];
      for (long left = bytes; left > 0; left -= CHUNK) {
        random.nextBytes(chunk);
        int length = (int) Math.min(left, CHUNK);
        zip.write(chunk, 0, length);
        sum.putBytes(chunk, 0, length);
      }
      zip.closeEntry();
      return new JobArchive(cluster, new Reception.Content(bytes, text(sum.hash().asInt())));
    } catch (IOException e) {
      throw new TestbedException("cannot write " + archive + ": " + e.getMessage(), e);
    }
  }

  private static Path onMachine(Cluster cluster, String host, Path path) {
    return cluster.directory().host(host).resolve(path);
  }

  private static String text(int sum) {
    return "0x%08x".formatted(sum);
  }

  /** What NodeManagers have unpacked last of it, by the names of hosts that have. */
  Map<String, Reception.Content> localized(List<String> hosts) {
    Map<String, Reception.Content> localized = new LinkedHashMap<>();
    for (String host : hosts) {
      Path cache =
          onMachine(
              cluster, host, Path.of("nm-local/usercache", Account.ALICE.userName(), "filecache"));
      newest(cache).ifPresent(file -> localized.put(host, content(file)));
    }
    return localized;
  }

  /** NodeManagers number what they localize. */
  private static Optional<Path> newest(Path cache) {
    if (!Files.isDirectory(cache)) {
      return Optional.empty();
    }
    Path inside = Path.of(Path.of(PATH).getFileName().toString(), FILE);
    return FileTree.list(cache).stream()
        .filter(number -> Files.exists(number.resolve(inside)))
        .max(Comparator.comparingLong(number -> Long.parseLong(number.getFileName().toString())))
        .map(number -> number.resolve(inside));
  }

  private static Reception.Content content(Path file) {
    try {
      return new Reception.Content(
          Files.size(file), text(MoreFiles.asByteSource(file).hash(Hashing.crc32c()).asInt()));
    } catch (IOException e) {
      throw new TestbedException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
