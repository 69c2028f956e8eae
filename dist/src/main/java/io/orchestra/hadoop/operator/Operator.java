package io.orchestra.hadoop.operator;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** The {@code orchestra} command as operators have it. */
@Command(
    name = "orchestra",
    description = "Installs Orchestra in a Hadoop home, examines it there, and removes it.",
    footer = {
      "",
      "The commands cluster, demo and bench (an emulated cluster, a demo, benchmarks) are in the"
          + " source tree only."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Operator.OurVersion.class,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:success; the doctor found nothing wrong",
      "1:failure, or problems that the doctor found; the message says what to do",
      "2:the command line is wrong, or the doctor could not examine something"
    },
    subcommands = {
      InstallCommand.class,
      UninstallCommand.class,
      DoctorCommand.class,
      HelpCommand.class
    })
public final class Operator {
  private static final int FAILURE = 1;
  private static final int COULD_NOT_LOOK = 2;

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new Operator())
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
  }

  private static int report(Exception failure, CommandLine command) {
    String message =
        failure instanceof OperatorException
            ? failure.getMessage()
            : "%s\n  remedy: check that what it names can be read and written; if it can, report this"
                .formatted(failure);
    command.getErr().println("orchestra: " + message);
    return command.getCommand() instanceof DoctorCommand ? COULD_NOT_LOOK : FAILURE;
  }

  /** Prints the version of this build. */
  static final class OurVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"orchestra " + Operator.class.getPackage().getImplementationVersion()};
    }
  }
}
