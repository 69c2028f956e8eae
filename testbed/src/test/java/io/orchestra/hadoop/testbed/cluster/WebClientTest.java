package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WebClientTest {

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
