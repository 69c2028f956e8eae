package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.bench.BenchOptions;
import io.orchestra.hadoop.testbed.bench.Benchmark;
import io.orchestra.hadoop.testbed.bench.Selection;
import io.orchestra.hadoop.testbed.bench.Workload;
import io.orchestra.hadoop.testbed.bench.report.LastLine;
import io.orchestra.hadoop.testbed.bench.report.SeriesText;
import io.orchestra.hadoop.testbed.bench.report.SummaryText;
import io.orchestra.hadoop.testbed.bench.result.RunResult;
import io.orchestra.hadoop.testbed.bench.run.BenchmarkRunner;
import io.orchestra.hadoop.testbed.bench.run.RunEnvironment;
import io.orchestra.hadoop.testbed.bench.sample.Sampler;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code orchestra bench}. */
@Command(
    name = "bench",
    description = {
      "Measures a plugin beside stock Hadoop, and writes a report.",
      "The last line of the output is a JSON object with the results.",
      "The exit status is 0 if the benchmark ran to its end, even if its results are bad or not"
          + " verified."
    },
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private static final String ALL = "all";

  private static final String GRIDMIX = "gridmix";

  private final List<Benchmark> benchmarks;
  private final Supplier<Project> project;
  private final Supplier<TestbedHome> home;
  private final LocalDateTime started = LocalDateTime.now();

  @Spec private CommandSpec command;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description =
          "The benchmark to run, or 'all' for all of them, one after the other. --list shows them.")
  private String name;

  @Option(
      names = "--swim",
      paramLabel = "FILE",
      description = "gridmix: replay this SWIM trace instead of the recorded one.")
  private Path swim;

  @Option(
      names = "--scale",
      paramLabel = "X",
      description =
          "gridmix, with --swim: size of the trace, as a multiple of the bytes that suit its"
              + " cluster (default: ${DEFAULT-VALUE}).")
  private double scale = 1;

  @Option(
      names = "--list",
      description = "Show all benchmarks and their keys, and do nothing else.")
  private boolean list;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Number of measured trials of each arm (default: 5, with --quick 1).")
  private Integer repetitions;

  @Option(
      names = "--quick",
      description = "Run less, and fill only the keys that --list marks with *.")
  private boolean quick;

  @Option(
      names = "--as-planned",
      description =
          "Keep to the planned number of repetitions, even if a target is undecided after them."
              + " With --continue, repetitions already measured beyond it are kept.")
  private boolean asPlanned;

  @Option(
      names = "--only",
      paramLabel = "EXPERIMENT",
      split = ",",
      description =
          "Run only these experiments, and fill only the keys that need no others (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "Measure only this arm of the experiments, and fill only the keys that compare no others"
              + " (default: all). Can be repeated.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed for all that is random (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--set",
      paramLabel = "SITE:KEY=VALUE",
      description =
          "A setting of Hadoop or a plugin, for all clusters and arms, to see what it changes; SITE"
              + " is core, hdfs, yarn or mapred. Can be repeated.")
  private List<Setting> settings = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory for the results (default: bench-results/NAME-TIME).")
  private Path output;

  @Option(
      names = "--continue",
      paramLabel = "DIR",
      description =
          "Continue a run that ended early: measure what is missing in DIR. All other options"
              + " except --as-planned must be the same.")
  private Path earlier;

  @Option(
      names = "--across-commits",
      description =
          "With --continue: accept that the project has changed since, if the changes do not"
              + " concern what was measured. The report says which commit measured what.")
  private boolean acrossCommits;

  @Mixin private HadoopVersion hadoop;

  BenchCommand() {
    this(Benchmarks.ALL, Project::ofThisCommand, TestbedHome::fromEnvironmentOrOwn);
  }

  BenchCommand(List<Benchmark> benchmarks, Supplier<Project> project, Supplier<TestbedHome> home) {
    this.benchmarks = benchmarks;
    this.project = project;
    this.home = home;
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      PrintWriter out = command.commandLine().getOut();
      out.print(BenchmarkList.text(benchmarks));
      out.flush();
      return ExitStatus.SUCCESS;
    }
    boolean all = ALL.equals(name);
    if (!all) {
      Benchmark unused = benchmark();
    }
    requireSensible(all);
    if (!all) {
      requireKnownExperiments();
    }
    RunEnvironment environment =
        new RunEnvironment(
            home.get(), project.get(), Progress.onStandardError(), Sampler.ofThisMachine());
    BenchmarkRunner runner = new BenchmarkRunner(environment);
    return all ? runAll(runner, environment.progress()) : runOne(runner);
  }

  private void requireSensible(boolean all) {
    if (repetitions() < 1) {
      throw usage("repetitions: at least 1, not " + repetitions);
    }
    if (earlier != null && output != null) {
      throw usage("--continue names the directory of results: leave --out away");
    }
    if (acrossCommits && earlier == null) {
      throw usage("--across-commits is for --continue");
    }
    if (all && (earlier != null || !only.isEmpty() || !arms.isEmpty())) {
      throw usage("--continue, --only and --arm are for one benchmark, not for all");
    }
    if (swim == null && scale != 1) {
      throw usage("--scale is for the trace of --swim");
    }
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw usage("--scale: above 0, not " + scale);
    }
    if (swim != null && !all && !name.equals(GRIDMIX)) {
      throw usage("--swim is for gridmix: it is the only benchmark that replays a trace");
    }
    if (swim != null && !Files.isRegularFile(swim)) {
      throw usage("--swim: there is no file " + swim);
    }
  }

  private void requireKnownExperiments() {
    List<String> known = benchmark().experiments(options(output()));
    for (String experiment : only) {
      if (!known.contains(experiment)) {
        throw usage(
            "there is no experiment '%s'%s: there are %s"
                .formatted(experiment, quick ? " with --quick" : "", known));
      }
    }
  }

  private BenchOptions options(Path directory) {
    Workload workload =
        swim == null
            ? Workload.RECORDED
            : new Workload(Optional.of(swim.toAbsolutePath().normalize()), scale);
    return new BenchOptions(
        hadoop.version(),
        repetitions(),
        quick,
        asPlanned,
        new Selection(new LinkedHashSet<>(only), new LinkedHashSet<>(arms)),
        seed,
        settings,
        workload,
        directory);
  }

  private int runOne(BenchmarkRunner runner) throws Exception {
    BenchOptions options = options(output());
    RunResult result =
        earlier == null
            ? runner.run(benchmark(), options)
            : runner.goOn(benchmark(), options, acrossCommits);
    print(SummaryText.of(result), LastLine.of(result));
    return ExitStatus.SUCCESS;
  }

  /** One that fails does not keep the others from running, but the command from succeeding. */
  private int runAll(BenchmarkRunner runner, Progress progress) throws InterruptedException {
    List<RunResult> results = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (Benchmark benchmark : benchmarks) {
      try {
        results.add(runner.run(benchmark, options(output().resolve(benchmark.name()))));
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (Thread.interrupted()) {
          throw new InterruptedException(String.valueOf(e.getMessage()));
        }
        progress.say(benchmark.name() + " failed: " + e.getMessage());
        failed.add(benchmark.name());
      }
    }
    if (!failed.isEmpty()) {
      print(SeriesText.table(results), "failed: " + String.join(", ", failed));
      return ExitStatus.FAILURE;
    }
    print(SeriesText.table(results), SeriesText.lastLine(results));
    return ExitStatus.SUCCESS;
  }

  private void print(String text, String lastLine) {
    PrintWriter out = command.commandLine().getOut();
    out.print(text);
    out.println(lastLine);
    out.flush();
  }

  private int repetitions() {
    if (repetitions != null) {
      return repetitions;
    }
    return quick ? 1 : 5;
  }

  private Benchmark benchmark() {
    String names =
        benchmarks.stream().map(Benchmark::name).collect(Collectors.joining(", ", "[", "]"));
    if (name == null) {
      throw usage("which benchmark? there are " + names);
    }
    return benchmarks.stream()
        .filter(benchmark -> benchmark.name().equals(name))
        .findFirst()
        .orElseThrow(() -> usage("there is no benchmark '" + name + "': there are " + names));
  }

  /** The same, however often it is asked for. */
  private Path output() {
    Path directory;
    if (earlier != null) {
      directory = earlier;
    } else if (output != null) {
      directory = output;
    } else {
      directory = Path.of("bench-results", name + "-" + TIMESTAMP.format(started));
    }
    return directory.toAbsolutePath().normalize();
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
