package io.orchestra.hadoop.testbed.bench.run;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.process.Command;
import java.nio.file.Path;
import java.util.Optional;

/** The commit of the project's files. */
final class ProjectCommit {
  private ProjectCommit() {}

  /** Its hash, with {@code -dirty} if files differ from it; nothing without git or a repository. */
  static Optional<String> of(Path root) {
    try {
      Command.Outcome outcome =
          Command.of("git", "-C", root.toString(), "describe", "--always", "--dirty", "--exclude=*")
              .run();
      return outcome.succeeded() ? Optional.of(outcome.output().strip()) : Optional.empty();
    } catch (TestbedException noGit) {
      return Optional.empty();
    }
  }
}
