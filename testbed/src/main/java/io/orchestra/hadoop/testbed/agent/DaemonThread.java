package io.orchestra.hadoop.testbed.agent;

/** Threads that do not keep a program alive. */
final class DaemonThread {
  private DaemonThread() {}

  static Thread of(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
