package io.orchestra.hadoop.testbed;

/** Threads that do not keep a program alive. */
public final class DaemonThread {
  private DaemonThread() {}

  public static Thread of(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
