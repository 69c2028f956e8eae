package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.TestbedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WebClientTest {

  @Test
  void aPageThatIsNotThereIsNotOneThatDoesNotAnswer() {
    assertThat(WebClient.page("url", "<html>", "404")).isEmpty();
    assertThat(WebClient.page("url", "{}", "200")).isPresent();
    for (String status : List.of("000", "500", "307")) {
      assertThatThrownBy(() -> WebClient.page("url", "{}", status))
          .isInstanceOf(TestbedException.class)
          .hasMessageContaining("status is " + status);
    }
    for (String body : List.of("<html>", "")) {
      assertThatThrownBy(() -> WebClient.page("url", body, "200"))
          .isInstanceOf(TestbedException.class);
    }
  }

  /** As a history server answers. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          {'tasks': {'task': [{'id': 'a'}, {'id': 'b'}]}} -> a b
          {'tasks': {'task': {'id': 'a'}}} -> a
          {'tasks': {'task': []}} -> ""
          {'tasks': {}} -> ""
          {'tasks': null} -> ""
          """,
      delimiterString = " -> ")
  void aListOfOneElementIsThatElement(String answer, String ids) {
    JsonNode list =
        WebClient.parse(answer.replace('\'', '"')).orElseThrow().path("tasks").path("task");

    List<String> found =
        WebClient.elements(list).stream().map(task -> task.path("id").asText()).toList();
    assertThat(String.join(" ", found)).isEqualTo(ids);
  }
}
