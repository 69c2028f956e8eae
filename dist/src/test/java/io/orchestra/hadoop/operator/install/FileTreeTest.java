package io.orchestra.hadoop.operator.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.operator.StandInHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileTreeTest {
  @TempDir private Path directory;

  /** As NFS does with a file that a program on another host has open. */
  @Test
  void whatCannotBeDeletedKeepsNothingElse() throws IOException {
    Path tree = directory.resolve("tree");
    Path busy = tree.resolve("m/busy");
    StandInHome.writeTo(tree.resolve("a/file"), "");
    StandInHome.writeTo(busy, "");
    StandInHome.writeTo(tree.resolve("z/file"), "");

    assertThatThrownBy(
            () ->
                FileTree.delete(
                    tree,
                    path -> {
                      if (path.equals(busy)) {
                        throw new IOException("busy");
                      }
                      Files.delete(path);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("busy");

    assertThat(FileTree.paths(tree)).containsExactlyInAnyOrder(tree, tree.resolve("m"), busy);
  }

  @Test
  void whereALinkLeadsNothingIsDeleted() throws IOException {
    Path theirs = directory.resolve("theirs/file");
    StandInHome.writeTo(theirs, "");
    Path tree = Files.createDirectory(directory.resolve("tree"));
    Files.createSymbolicLink(tree.resolve("link"), theirs.getParent());

    FileTree.delete(tree);

    assertThat(tree).doesNotExist();
    assertThat(theirs).exists();
  }
}
