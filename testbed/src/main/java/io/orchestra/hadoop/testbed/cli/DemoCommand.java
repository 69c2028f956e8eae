package io.orchestra.hadoop.testbed.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code orchestra demo}. */
@Command(name = "demo", description = "x", mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return ExitStatus.FAILURE;
  }
}
