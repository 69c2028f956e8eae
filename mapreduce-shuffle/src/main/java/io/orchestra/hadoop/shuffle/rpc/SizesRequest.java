package io.orchestra.hadoop.shuffle.rpc;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How large are my parts of these map outputs? The answer is read with {@link OutputSizes#read}.
 *
 * @param outputs attempts of maps of the job
 */
public record SizesRequest(String job, int reduce, List<String> outputs) implements ShuffleRequest {
  /**
   * As many as a request of stock's names: each is looked up on a thread that serves connections.
   * Netty takes request lines of up to 4096 bytes; an attempt's name has about 40.
   */
  public static final int MOST_OUTPUTS = 20;

  static final String KIND = "sizes";

  public SizesRequest {
    checkArgument(reduce >= 0, "reducer %s", reduce);
    outputs = List.copyOf(outputs);
    checkArgument(
        !outputs.isEmpty() && outputs.size() <= MOST_OUTPUTS,
        "%s outputs, where 1 to %s may be asked for",
        outputs.size(),
        MOST_OUTPUTS);
    checkArgument(Set.copyOf(outputs).size() == outputs.size(), "an output that is named twice");
    outputs.forEach(output -> ShuffleRequest.requireAttempt(job, output));
  }

  static SizesRequest parse(Parameters parameters) {
    return new SizesRequest(
        parameters.text("job"),
        parameters.number("reduce"),
        Splitter.on(',').limit(MOST_OUTPUTS + 1).splitToList(parameters.text("outputs")));
  }

  @Override
  public String pathAndQuery() {
    return String.format(
        Locale.ROOT,
        "/mapOutput?job=%s&reduce=%d&%s=%s&outputs=%s",
        job,
        reduce,
        PARAMETER,
        KIND,
        Joiner.on(',').join(outputs));
  }
}
