package io.orchestra.hadoop.shuffle.reduce;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What a class logs until this is closed. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  LogLines(Class<?> type) {
    logger = Logger.getLogger(type);
    logger.addAppender(this);
  }

  List<String> lines() {
    return lines;
  }

  @Override
  protected void append(LoggingEvent event) {
    lines.add(event.getRenderedMessage());
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }
}
