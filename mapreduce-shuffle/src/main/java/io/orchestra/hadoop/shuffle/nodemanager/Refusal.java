package io.orchestra.hadoop.shuffle.nodemanager;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request is not answered with what it asks for. The message goes to who asked. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why. Each is counted. */
  enum Reason {
    /** Nothing that a reducer of ours would send. */
    GARBAGE("Garbage", HttpResponseStatus.BAD_REQUEST),
    /** No such job, or one that has ended. */
    UNKNOWN_JOB("UnknownJob", HttpResponseStatus.UNAUTHORIZED),
    /** Not signed with the job's token, or for another URL. */
    FORGED("Forged", HttpResponseStatus.UNAUTHORIZED),
    /** No such output or part on this host, or none that can be read. */
    NOT_HERE("NotHere", HttpResponseStatus.NOT_FOUND),
    /** The part has another length than the reducer was told. */
    CHANGED("Changed", HttpResponseStatus.CONFLICT),
    /** Our fault. */
    FAILED("Failed", HttpResponseStatus.INTERNAL_SERVER_ERROR);

    private final String metric;
    private final HttpResponseStatus status;

    Reason(String metric, HttpResponseStatus status) {
      this.metric = metric;
      this.status = status;
    }

    /** The end of the counter's name. */
    String metric() {
      return metric;
    }

    HttpResponseStatus status() {
      return status;
    }
  }

  private final Reason reason;

  Refusal(Reason reason, String message) {
    this(reason, message, null);
  }

  Refusal(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
