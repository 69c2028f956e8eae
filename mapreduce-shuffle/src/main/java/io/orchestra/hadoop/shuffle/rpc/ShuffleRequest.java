package io.orchestra.hadoop.shuffle.rpc;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * What a reducer asks a NodeManager. As a URL it is one of stock's with other parameters; stock
 * answers it with status 400, as no map is named.
 */
public sealed interface ShuffleRequest permits SizesRequest, RangeRequest {
  /** The parameter that stock's requests do not have; its value says which request it is. */
  String PARAMETER = "orchestra";

  /** For example {@code job_1700000000000_0001}. */
  String job();

  /** Number of the reducer, from 0. */
  int reduce();

  /** What follows the port in the URL. The whole of it is signed. */
  String pathAndQuery();

  /**
   * @param query values of each parameter, decoded
   * @throws IllegalArgumentException if it is not a request that a reducer may send
   */
  static ShuffleRequest parse(Map<String, List<String>> query) {
    Parameters parameters = new Parameters(query);
    String kind = parameters.text(PARAMETER);
    return switch (kind) {
      case SizesRequest.KIND -> SizesRequest.parse(parameters);
      case RangeRequest.KIND -> RangeRequest.parse(parameters);
      default -> throw new IllegalArgumentException("an unknown request: " + kind);
    };
  }

  /**
   * A part of a path on the server: nothing passes but the one form in which Hadoop writes it.
   *
   * @throws IllegalArgumentException if {@code text} names no attempt of that job
   */
  static void requireAttempt(String job, String text) {
    TaskAttemptID attempt = TaskAttemptID.forName(text);
    checkArgument(
        attempt.toString().equals(text) && attempt.getJobID().toString().equals(job),
        "not an attempt of %s: %s",
        job,
        text);
  }
}
