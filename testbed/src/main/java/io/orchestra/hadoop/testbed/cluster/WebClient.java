package io.orchestra.hadoop.testbed.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.HostShell;
import io.orchestra.hadoop.testbed.process.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Talks HTTP from one emulated host; this process itself has no way into the cluster's network. */
public final class WebClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A host behind a cut link is given up soon, a busy daemon is not. */
  private static final List<String> PATIENCE =
      List.of("--connect-timeout", "5", "--max-time", "30");

  private final HostShell host;
  private final List<String> options;

  /**
   * @param options of curl, for every request
   */
  WebClient(HostShell host, List<String> options) {
    this.host = host;
    this.options = List.copyOf(options);
  }

  /** The JSON at an address, or nothing if there is no such answer within half a minute. */
  public Optional<JsonNode> json(String url) {
    Command.Outcome outcome = curl(List.of("curl", "--silent", "--fail", url), "").run();
    return outcome.succeeded() ? parse(outcome.output()) : Optional.empty();
  }

  /**
   * The JSON at an address, or nothing if there is no such page; fails if that cannot be known
   * within half a minute.
   */
  public Optional<JsonNode> page(String url) {
    Command.Outcome outcome =
        curl(List.of("curl", "--silent", "--write-out", "\n%{http_code}", url), "").run();
    String output = outcome.output().strip();
    int end = output.lastIndexOf('\n');
    return page(url, output.substring(0, Math.max(0, end)), output.substring(end + 1));
  }

  static Optional<JsonNode> page(String url, String body, String status) {
    if (status.equals("404")) {
      return Optional.empty();
    }
    Optional<JsonNode> page = status.equals("200") ? parse(body) : Optional.empty();
    if (page.isEmpty() || page.get().isMissingNode()) {
      throw new TestbedException("no JSON at %s: the status is %s".formatted(url, status));
    }
    return page;
  }

  /**
   * What a daemon says of a bean: a missing node if it has none of this name, and nothing if there
   * is no answer within half a minute.
   *
   * @param address such as {@code http://m1:9870}
   * @param name the service and the bean, such as {@code NameNode,name=NameNodeStatus}
   */
  public Optional<JsonNode> bean(String address, String name) {
    return json(address + "/jmx?qry=Hadoop:service=" + name)
        .map(answer -> answer.path("beans").path(0));
  }

  /** Hadoop also hides JSON in strings of its JSON. */
  static Optional<JsonNode> parse(String json) {
    try {
      return Optional.of(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * The elements of a list in an answer of MapReduce: a list of one element is that element itself,
   * and one without any may be missing.
   */
  public static List<JsonNode> elements(JsonNode list) {
    if (list.isArray()) {
      return ImmutableList.copyOf(list);
    }
    return list.isObject() ? List.of(list) : List.of();
  }

  /** Whether anything at all answers at an address within half a minute. */
  public boolean answers(String url) {
    return curl(List.of("curl", "--silent", "--output", "/dev/null", url), "").run().succeeded();
  }

  /** The HTTP status of an address; zero if nothing answers within half a minute. */
  public int status(String url) {
    Command.Outcome outcome =
        curl(
                List.of(
                    "curl",
                    "--silent",
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
    all.addAll(1, PATIENCE);
    return host.command(Optional.empty(), all).reading(input);
  }
}
