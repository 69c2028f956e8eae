package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DataNodeFiguresTest {
  @Test
  void wholeNumbersOfTheSourceAreTaken() throws IOException {
    assertThat(
            parse(
                """
                {"beans": [{"name": "Hadoop:service=DataNode,name=Peer", "tag.Hostname": "h",
                            "BytesSent": 5000000000, "Load": 0.5, "Blocks": 0}]}"""))
        .isEqualTo(Map.of("Peer.BytesSent", 5_000_000_000L, "Peer.Blocks", 0L));
  }

  @Test
  void sourceThatIsNotThereHasNone() throws IOException {
    assertThat(parse("{\"beans\": []}")).isEmpty();
  }

  private static Map<String, Long> parse(String json) throws IOException {
    return DataNodeFigures.parse("Peer", new ObjectMapper().readTree(json));
  }
}
