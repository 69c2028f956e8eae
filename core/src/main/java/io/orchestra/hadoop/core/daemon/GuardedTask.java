package io.orchestra.hadoop.core.daemon;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task for a timer, which would silently forget one that throws: this one never does. The same
 * kind of trouble is told once until the task has gone well again. Runs on one thread at a time.
 */
public final class GuardedTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedTask.class);

  private final Runnable task;
  private final Consumer<Throwable> told;
  private Class<?> trouble;

  /**
   * @param name of the task, for the log
   */
  public GuardedTask(String name, Runnable task) {
    this(
        task,
        trouble ->
            LOG.warn("{} failed and goes on; the same is not told again soon", name, trouble));
  }

  GuardedTask(Runnable task, Consumer<Throwable> told) {
    this.task = task;
    this.told = told;
  }

  @Override
  public void run() {
    try {
      task.run();
      trouble = null;
    } catch (Throwable e) {
      if (e.getClass() != trouble) {
        trouble = e.getClass();
        tell(e);
      }
    }
  }

  private void tell(Throwable e) {
    try {
      told.accept(e);
    } catch (Throwable again) {
      // Without memory even the log may fail.
    }
  }
}
