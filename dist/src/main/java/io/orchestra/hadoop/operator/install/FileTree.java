package io.orchestra.hadoop.operator.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory and all that is below it; links are not followed. */
final class FileTree {

  /** Takes away a file or an empty directory. */
  @FunctionalInterface
  interface Deletion {
    void delete(Path path) throws IOException;
  }

  private FileTree() {}

  /** Itself and everything below it. */
  static List<Path> paths(Path tree) throws IOException {
    try (Stream<Path> walk = Files.walk(tree)) {
      return walk.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Deletes it as far as that is possible.
   *
   * @throws IOException why the first of what is left could not be deleted
   */
  static void delete(Path tree) throws IOException {
    delete(tree, Files::delete);
  }

  static void delete(Path tree, Deletion deletion) throws IOException {
    Optional<IOException> failure = Optional.empty();
    for (Path path : paths(tree).stream().sorted(Comparator.reverseOrder()).toList()) {
      try {
        deletion.delete(path);
      } catch (NoSuchFileException e) {
        // Somebody else was faster.
      } catch (IOException e) {
        failure = failure.or(() -> Optional.of(e));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
