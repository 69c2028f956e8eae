package io.orchestra.hadoop.placement.namenode;

import com.google.common.util.concurrent.RateLimiter;
import org.slf4j.Logger;

/** Logs a failure of ours as a warning, at most once a minute: it may happen with every block. */
final class FailureLog {
  private final Logger log;
  private final RateLimiter permits = RateLimiter.create(1.0 / 60);

  FailureLog(Logger log) {
    this.log = log;
  }

  void failed(String consequence, Throwable cause) {
    if (permits.tryAcquire()) {
      log.warn("{} (told at most once a minute)", consequence, cause);
    }
  }
}
