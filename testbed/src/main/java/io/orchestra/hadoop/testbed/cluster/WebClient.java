package io.orchestra.hadoop.testbed.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.process.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Talks HTTP from one emulated host; this process itself has no way into the cluster's network. */
public final class WebClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HostShell host;
  private final List<String> options;

  /**
   * @param options of curl, for every request
   */
  WebClient(HostShell host, List<String> options) {
    this.host = host;
    this.options = List.copyOf(options);
  }

  /** The JSON at an address, or nothing if there is no such answer within five seconds. */
  public Optional<JsonNode> json(String url) {
    Command.Outcome outcome =
        curl(List.of("curl", "--silent", "--fail", "--max-time", "5", url), "").run();
    return outcome.succeeded() ? parse(outcome.output()) : Optional.empty();
  }

  /** Hadoop also hides JSON in strings of its JSON. */
  static Optional<JsonNode> parse(String json) {
    try {
      return Optional.of(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** Whether anything at all answers at an address within five seconds. */
  public boolean answers(String url) {
    return curl(List.of("curl", "--silent", "--max-time", "5", "--output", "/dev/null", url), "")
        .run()
        .succeeded();
  }

  /** The HTTP status of an address; zero if nothing answers within five seconds. */
  public int status(String url) {
    Command.Outcome outcome =
        curl(
                List.of(
                    "curl",
                    "--silent",
                    "--max-time",
                    "5",
                    "--output",
                    "/dev/null",
                    "--write-out",
                    "%{http_code}",
                    url),
                "")
            .run();
    return Integer.parseInt(outcome.output().strip());
  }

  /**
   * Sends PUT requests in this order, and fails at the first that is refused or has no answer
   * within half a minute.
   */
  public void put(List<String> urls) {
    StringBuilder configuration = new StringBuilder();
    urls.forEach(url -> configuration.append("url = \"").append(url).append("\"\n"));
    Command.Outcome outcome =
        curl(
                List.of(
                    "curl",
                    "--silent",
                    "--show-error",
                    "--fail-with-body",
                    "--fail-early",
                    "--max-time",
                    "30",
                    "--request",
                    "PUT",
                    "--config",
                    "-"),
                configuration.toString())
            .run();
    if (!outcome.succeeded()) {
      throw new TestbedException(
          "HDFS refused a request: " + outcome.error().strip() + "\n" + outcome.output().strip());
    }
  }

  private Command curl(List<String> words, String input) {
    List<String> all = new ArrayList<>(words);
    all.addAll(1, options);
    return host.command(Optional.empty(), all).reading(input);
  }
}
