package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.MissingPrerequisiteException;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.hadoop.Versions;
import io.orchestra.hadoop.testbed.network.Rate;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.TypeConversionException;

/** The {@code orchestra} command. */
@Command(
    name = "orchestra",
    description =
        "Runs stock Hadoop, with Orchestra's plugins or without, on an emulated racked cluster on"
            + " this machine.",
    footer = {
      "",
      "The commands install, uninstall and doctor are for real clusters: orchestra install --help"
    },
    mixinStandardHelpOptions = true,
    versionProvider = Orchestra.OurVersion.class,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:success",
      "1:failure; the message says what to do",
      "2:the command line is wrong",
      "3:this machine lacks something; the message says how to get it"
    },
    subcommands = {
      ClusterCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      TraceCommand.class,
      HelpCommand.class
    })
public final class Orchestra {

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** All commands and their options. */
  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Orchestra());
    // The words after the program's name are its own, also those that look like options of ours.
    commandLine
        .getSubcommands()
        .get("cluster")
        .getSubcommands()
        .get("hadoop")
        .setStopAtPositional(true);
    return commandLine
        // A word such as @file may be meant for the program that is run.
        .setExpandAtFiles(false)
        .registerConverter(Rate.class, converter(Rate::parse))
        .registerConverter(Setting.class, converter(Setting::parse))
        .registerConverter(Daemon.class, converter(Daemon::named))
        .registerConverter(HostUser.class, converter(HostUser::named))
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
  }

  private static int report(Exception failure, CommandLine command) throws Exception {
    if (!(failure instanceof TestbedException)) {
      throw failure;
    }
    command.getErr().println("orchestra: " + failure.getMessage());
    return failure instanceof MissingPrerequisiteException
        ? ExitStatus.MISSING_PREREQUISITE
        : ExitStatus.FAILURE;
  }

  /** A bad word on the command line is a usage error, in the words of whoever refused it. */
  private static <T> ITypeConverter<T> converter(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (TestbedException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  /** Prints the version of this build. */
  static final class OurVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      Versions versions = Versions.ofThisBuild();
      return new String[] {"orchestra " + versions.orchestra() + ", Hadoop " + versions.hadoop()};
    }
  }
}
