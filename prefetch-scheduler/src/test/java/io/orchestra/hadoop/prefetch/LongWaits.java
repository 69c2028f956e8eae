package io.orchestra.hadoop.prefetch;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets all tests wait for longer than Awaitility's ten seconds for what is to come. A slow machine
 * may take so long to load classes alone, and predictions pause for many times as long as the first
 * copy of a scheduler took.
 */
public final class LongWaits implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
  }
}
