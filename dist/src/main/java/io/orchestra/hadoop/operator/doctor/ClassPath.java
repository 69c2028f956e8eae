package io.orchestra.hadoop.operator.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A class path as Java reads it: directories, jars, and {@code directory/*} for all jars in one.
 *
 * @param entries directories and jars that exist, links resolved, each once
 */
record ClassPath(List<Path> entries) {

  static ClassPath parse(Iterable<String> words) throws IOException {
    Set<Path> entries = new LinkedHashSet<>();
    for (String word : words) {
      if (word.endsWith("/*")) {
        Path directory = Path.of(word.substring(0, word.length() - 2));
        if (Files.isDirectory(directory)) {
          try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
            for (Path jar : jars) {
              // A link may lead nowhere.
              if (Files.exists(jar)) {
                entries.add(jar.toRealPath());
              }
            }
          }
        }
      } else if (!word.isEmpty() && Files.exists(Path.of(word))) {
        entries.add(Path.of(word).toRealPath());
      }
    }
    return new ClassPath(new ArrayList<>(entries));
  }

  /** The entries that have a class. */
  List<Path> holding(String className) throws IOException {
    String file = className.replace('.', '/') + ".class";
    List<Path> holding = new ArrayList<>();
    for (Path entry : entries) {
      if (holds(entry, file)) {
        holding.add(entry);
      }
    }
    return holding;
  }

  private static boolean holds(Path entry, String file) throws IOException {
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(file));
    }
    try (ZipFile jar = new ZipFile(entry.toFile())) {
      return jar.getEntry(file) != null;
    } catch (ZipException e) {
      // Java passes over what is no jar, too.
      return false;
    }
  }
}
