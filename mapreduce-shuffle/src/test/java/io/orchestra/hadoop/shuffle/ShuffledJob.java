package io.orchestra.hadoop.shuffle;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/** A job whose maps have left their outputs in the one local directory of a NodeManager. */
public final class ShuffledJob implements AuxiliaryLocalPathHandler {
  public static final String ID = "job_1700000000000_0001";
  public static final ApplicationId APPLICATION = ApplicationId.newInstance(1_700_000_000_000L, 1);
  public static final String USER = System.getProperty("user.name");

  /** What the parts have more when they are decompressed. */
  public static final int COMPRESSED_AWAY = 100;

  private final Path root;
  private final Token<JobTokenIdentifier> token =
      new Token<>(
          ID.getBytes(StandardCharsets.UTF_8),
          "known to the job alone".getBytes(StandardCharsets.UTF_8),
          new Text("mapreduce.job"),
          new Text(ID));

  public ShuffledJob(Path root) {
    this.root = root;
  }

  public Token<JobTokenIdentifier> token() {
    return token;
  }

  public static String attempt(int map) {
    return attempt(map, 0);
  }

  public static String attempt(int map, int number) {
    return "attempt_1700000000000_0001_m_%06d_%d".formatted(map, number);
  }

  /**
   * One reducer's part of a map output.
   *
   * @param bytes as they are on disk
   * @param rawLength bytes, decompressed
   */
  public record Part(byte[] bytes, long rawLength) {}

  /**
   * @param parts one for each reducer
   * @return the attempt's name
   */
  public String write(int map, byte[]... parts) throws IOException {
    write(
        attempt(map),
        Stream.of(parts).map(part -> new Part(part, part.length + COMPRESSED_AWAY)).toList());
    return attempt(map);
  }

  /**
   * @param parts one for each reducer
   */
  public void write(String attempt, List<Part> parts) throws IOException {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    SpillRecord index = new SpillRecord(parts.size());
    for (int reduce = 0; reduce < parts.size(); reduce++) {
      Part part = parts.get(reduce);
      index.putIndex(new IndexRecord(data.size(), part.rawLength(), part.bytes().length), reduce);
      data.write(part.bytes());
    }
    Path directory = Files.createDirectories(directory(attempt));
    Files.write(directory.resolve("file.out"), data.toByteArray());
    write(attempt, index);
  }

  /**
   * The index of an output whose {@code file.out} is there.
   *
   * @param index its parts
   */
  public void write(String attempt, SpillRecord index) throws IOException {
    index.writeToFile(
        new org.apache.hadoop.fs.Path(directory(attempt).resolve("file.out.index").toString()),
        new JobConf());
  }

  public Path directory(int map) {
    return directory(attempt(map));
  }

  public Path directory(String attempt) {
    return root.resolve("usercache/%s/appcache/%s/output/%s".formatted(USER, APPLICATION, attempt));
  }

  /** What a reducer of this job signs a request with. */
  public String hash(int port, String pathAndQuery) throws IOException {
    return SecureShuffleUtils.hashFromString(
        SecureShuffleUtils.buildMsgFrom(new URL("http", "localhost", port, pathAndQuery)), key());
  }

  /** As a reducer does with an answer. */
  public void verifyReply(String replyHash, int port, String pathAndQuery) throws IOException {
    SecureShuffleUtils.verifyReply(replyHash, hash(port, pathAndQuery), key());
  }

  public SecretKey key() {
    return JobTokenSecretManager.createSecretKey(token.getPassword());
  }

  /** Map outputs that this JVM has open. */
  public List<Path> openFiles() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(ShuffledJob::target)
          .filter(file -> file.startsWith(root.toAbsolutePath()))
          .toList();
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      // Closed meanwhile, such as the one that lists the directory.
      return descriptor;
    }
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
    File file = root.resolve(path).toFile();
    if (!file.exists()) {
      throw new FileNotFoundException(path);
    }
    return new org.apache.hadoop.fs.Path(file.getAbsolutePath());
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) {
    throw new UnsupportedOperationException(path);
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size) {
    throw new UnsupportedOperationException(path);
  }

  @Override
  public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path) {
    throw new UnsupportedOperationException(path);
  }
}
