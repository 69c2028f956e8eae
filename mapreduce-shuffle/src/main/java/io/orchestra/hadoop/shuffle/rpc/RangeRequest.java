package io.orchestra.hadoop.shuffle.rpc;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Locale;

/**
 * Send me these bytes of my part of a map output. The answer's body is those bytes, without a
 * header of stock's.
 *
 * @param output attempt of a map of the job
 * @param offset in the part, of the first byte
 * @param length bytes, at least 1
 * @param part length of the whole part, bytes, as a sizes request told it; if it has changed, the
 *     request is refused
 */
public record RangeRequest(
    String job, int reduce, String output, long offset, long length, long part)
    implements ShuffleRequest {
  static final String KIND = "range";

  public RangeRequest {
    checkArgument(reduce >= 0, "reducer %s", reduce);
    ShuffleRequest.requireAttempt(job, output);
    checkArgument(
        offset >= 0 && length >= 1 && part >= 1 && length <= part - offset,
        "%s bytes from %s are not in a part of %s",
        length,
        offset,
        part);
  }

  static RangeRequest parse(Parameters parameters) {
    return new RangeRequest(
        parameters.text("job"),
        parameters.number("reduce"),
        parameters.text("output"),
        parameters.bytes("offset"),
        parameters.bytes("length"),
        parameters.bytes("part"));
  }

  @Override
  public String pathAndQuery() {
    return String.format(
        Locale.ROOT,
        "/mapOutput?job=%s&reduce=%d&%s=%s&output=%s&offset=%d&length=%d&part=%d",
        job,
        reduce,
        PARAMETER,
        KIND,
        output,
        offset,
        length,
        part);
  }
}
