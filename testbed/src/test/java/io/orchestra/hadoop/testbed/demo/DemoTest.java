package io.orchestra.hadoop.testbed.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DemoTest {
  private final List<String> events = new ArrayList<>();
  private final List<String> leftovers = new ArrayList<>();

  @Test
  void clusterThatDidAllStepsIsClosedAsASuccessAndThenSearchedForLeftovers() {
    Arm arm = new Arm(Map.of(), Map.of(), Optional.empty());
    assertThat(Demo.runAndClose(new RecordingCluster(), () -> arm, leftovers)).isSameAs(arm);
    assertThat(events).containsExactly("succeeded", "closed", "searched");
    assertThat(leftovers).containsExactly("process 7");
  }

  @Test
  void clusterOnWhichAStepFailedIsClosedWithItsLogs() {
    TestbedException failure = new TestbedException("a step failed");
    assertThatThrownBy(
            () ->
                Demo.runAndClose(
                    new RecordingCluster(),
                    () -> {
                      throw failure;
                    },
                    leftovers))
        .isSameAs(failure);
    assertThat(events).containsExactly("closed");
  }

  private final class RecordingCluster implements DemoCluster {
    @Override
    public void hadoop(Account user, List<String> words, Path log) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path fetchDirectory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<JsonNode> nameNode(String path) {
      return Optional.empty();
    }

    @Override
    public void succeeded() {
      events.add("succeeded");
    }

    @Override
    public List<String> leftovers() {
      events.add("searched");
      return List.of("process 7");
    }

    @Override
    public void close() {
      events.add("closed");
    }
  }
}
