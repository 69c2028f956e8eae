package io.orchestra.hadoop.testbed.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Keeps the state of a cluster in a JSON file that is replaced in one step. */
public final class StateFile {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;

  public StateFile(Path file) {
    this.file = file;
  }

  public void write(ClusterState state) {
    try {
      FileTree.write(file, JSON.writeValueAsString(state) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Replaces the state, which has to be there; whoever does this holds the cluster's lock, and may
   * do it in several threads.
   */
  public void update(UnaryOperator<ClusterState> change) {
    synchronized (StateFile.class) {
      write(
          change.apply(
              read().orElseThrow(() -> new TestbedException("there is no " + file + " any more"))));
    }
  }

  /** The state, or nothing if there is no file. */
  public Optional<ClusterState> read() {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(FileTree.read(file), ClusterState.class));
    } catch (JsonProcessingException e) {
      throw new TestbedException(
          "cannot understand " + file + "; 'cluster down' removes what it is about", e);
    }
  }
}
