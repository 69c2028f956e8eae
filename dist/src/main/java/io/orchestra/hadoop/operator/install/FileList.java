package io.orchestra.hadoop.operator.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The files of a directory and their checksums, as {@code sha256sum} writes them.
 *
 * @param checksums SHA-256 in hexadecimal digits, by path relative to the directory
 */
record FileList(SortedMap<String, String> checksums) {
  /** Where an installation keeps its own. */
  static final String NAME = "SHA256SUMS";

  /**
   * Of files in a directory, and of those below directories in it; of no link.
   *
   * @param entries names in the directory; what else it has is not looked at
   * @param wanted which of the files, by their paths relative to the directory
   */
  static FileList of(Path directory, Iterable<String> entries, Predicate<String> wanted)
      throws IOException {
    SortedMap<String, String> checksums = new TreeMap<>();
    for (String entry : entries) {
      if (!Files.exists(directory.resolve(entry), LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      for (Path file : FileTree.paths(directory.resolve(entry))) {
        String name = directory.relativize(file).toString();
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && wanted.test(name)) {
          checksums.put(name, checksum(file));
        }
      }
    }
    return new FileList(checksums);
  }

  /** Reads the list that an installation keeps. */
  static FileList read(Path directory) throws IOException {
    SortedMap<String, String> checksums = new TreeMap<>();
    for (String line : Files.readAllLines(directory.resolve(NAME))) {
      int gap = line.indexOf("  ");
      if (gap > 0) {
        checksums.put(line.substring(gap + 2), line.substring(0, gap));
      }
    }
    return new FileList(checksums);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    checksums.forEach((name, sum) -> text.append(sum).append("  ").append(name).append('\n'));
    return text.toString();
  }

  /** A few characters that differ where any file does. */
  String fingerprint() {
    byte[] digest = sha256().digest(text().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest, 0, 4);
  }

  /** Names of files of this list that are missing in a directory or are others there. */
  List<String> damaged(Path directory) throws IOException {
    List<String> damaged = new ArrayList<>();
    for (Map.Entry<String, String> file : checksums.entrySet()) {
      Path path = directory.resolve(file.getKey());
      if (!Files.isRegularFile(path) || !checksum(path).equals(file.getValue())) {
        damaged.add(file.getKey());
      }
    }
    return damaged;
  }

  /** Names of what is in a directory with an installation, below it too, and not of it. */
  List<String> others(Path directory) throws IOException {
    Set<String> own = new HashSet<>(checksums.keySet());
    own.add(NAME);
    for (Role role : Role.values()) {
      own.add(role.stableJarName());
    }
    return FileTree.paths(directory).stream()
        .filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        .map(path -> directory.relativize(path).toString())
        .filter(name -> !own.contains(name))
        .sorted()
        .toList();
  }

  /** Names of files that are in one of two lists alone, or are others in it. */
  List<String> differences(FileList other) {
    SortedSet<String> names = new TreeSet<>(checksums.keySet());
    names.addAll(other.checksums.keySet());
    names.removeIf(name -> Objects.equals(checksums.get(name), other.checksums.get(name)));
    return List.copyOf(names);
  }

  private static String checksum(Path file) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream stream = new DigestInputStream(Files.newInputStream(file), digest)) {
      long unused = stream.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
