package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassListsTest {
  @TempDir private Path root;

  /** A program that is killed has written a part of a line; another loader's class has a source. */
  @Test
  void onlyWholeLinesOfTheSystemsLoaderCount() throws IOException {
    ClassLists lists = new ClassLists(root);
    Files.writeString(
        root.resolve("a-1"),
        """
        # NOTE: Do not modify this file.
        java/lang/Object id: 0
        b/B
        c/C id: 12 super: 0 source: /tmp/job.jar
        a/A
        a/A source: /tmp/job.jar
        @lambda-proxy a/A run ()Ljava/lang/Runnable;
        a/Trunc\
        """);
    Files.writeString(root.resolve("a-2"), "a/A\nd/D\n");
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere")).resolve("list");
    Files.writeString(elsewhere, "e/E\n");
    Files.createSymbolicLink(root.resolve("a-3"), elsewhere);

    assertThat(lists.all())
        .containsExactly(
            "@lambda-proxy a/A run ()Ljava/lang/Runnable;",
            "a/A",
            "b/B",
            "d/D",
            "java/lang/Object");
  }

  /** Its format is not the same in all versions of Java. */
  @Test
  void whatThisJavaListsIsRead() {
    ClassLists lists = new ClassLists(root);
    String unusedOutput =
        Command.of(Jvm.program(), "-Xshare:off", lists.option("java"), "-version").output();

    assertThat(lists.all()).contains("java/lang/Object", "java/lang/Thread");
  }
}
