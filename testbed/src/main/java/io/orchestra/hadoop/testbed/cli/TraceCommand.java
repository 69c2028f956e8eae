package io.orchestra.hadoop.testbed.cli;

import picocli.CommandLine.Command;

/** {@code orchestra trace}. */
@Command(
    name = "trace",
    description = "Records traces of jobs, which 'bench gridmix' replays.",
    mixinStandardHelpOptions = true,
    subcommands = {RecordCommand.class})
final class TraceCommand {}
