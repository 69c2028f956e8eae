package io.orchestra.hadoop.testbed.process;

import com.google.common.collect.ImmutableList;

/** Another process of the same Java on the class path of the tests. */
public final class ChildJvm {
  private ChildJvm() {}

  /** Runs a main class, whose output is to be read; its errors go where those of the tests do. */
  public static ProcessBuilder running(Class<?> main, String... arguments) {
    return new ProcessBuilder(
            ImmutableList.<String>builder()
                .add(ProcessHandle.current().info().command().orElseThrow())
                .add("-cp", System.getProperty("java.class.path"), main.getName())
                .add(arguments)
                .build())
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
