package io.orchestra.hadoop.testbed.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.orchestra.hadoop.testbed.cluster.Status;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orchestra cluster status}. */
@Command(
    name = "status",
    description = "Shows the hosts, daemons and links of a cluster.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
  @Mixin private ClusterName cluster;

  @Option(names = "--json", description = "Print JSON, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    Status status = Status.of(cluster.cluster());
    if (json) {
      ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
      System.out.println(mapper.writeValueAsString(status));
    } else {
      System.out.print(StatusText.full(status));
    }
    return ExitStatus.SUCCESS;
  }
}
