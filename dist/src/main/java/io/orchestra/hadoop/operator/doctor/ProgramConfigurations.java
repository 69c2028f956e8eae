package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * What the site files of a directory are to each program: one that does not read a file does not
 * see what stands there, and where several say something the last one that it reads counts.
 */
final class ProgramConfigurations {
  private final Path directory;
  private final Map<Program, Configuration> configurations;

  private ProgramConfigurations(Path directory, Map<Program, Configuration> configurations) {
    this.directory = directory;
    this.configurations = configurations;
  }

  /**
   * @throws RuntimeException of Hadoop's, if it cannot read a file
   */
  static ProgramConfigurations read(Path directory) {
    Map<Program, Configuration> configurations = new EnumMap<>(Program.class);
    for (Program program : Program.values()) {
      // Not Hadoop's list of default files, to which its classes add those of other programs.
      Configuration conf = new Configuration(false);
      conf.addResource("core-default.xml");
      configurations.put(program, added(conf, directory, program.sites()));
    }
    return new ProgramConfigurations(directory, configurations);
  }

  private static Configuration added(Configuration conf, Path directory, List<Site> sites) {
    for (Site site : sites) {
      file(directory, site)
          .ifPresent(file -> conf.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
    }
    // Files are read when something is asked for.
    int unused = conf.size();
    return conf;
  }

  private static Optional<Path> file(Path directory, Site site) {
    return Optional.of(directory.resolve(site.fileName())).filter(Files::exists);
  }

  Configuration of(Program program) {
    return configurations.get(program);
  }

  /** The same with another configuration of one program. */
  ProgramConfigurations with(Program program, Configuration conf) {
    Map<Program, Configuration> changed = new EnumMap<>(configurations);
    changed.put(program, conf);
    return new ProgramConfigurations(directory, changed);
  }

  /** With Hadoop's defaults, for clients of daemons of all kinds. */
  Configuration ofClients() {
    return withDefaults(Program.CLIENT.sites());
  }

  /** Some files with Hadoop's defaults. */
  Configuration withDefaults(List<Site> sites) {
    return added(new Configuration(), directory, sites);
  }

  /** What stands in one file. */
  Map<String, String> in(Site site) {
    Map<String, String> properties = new TreeMap<>();
    added(new Configuration(false), directory, List.of(site))
        .forEach(entry -> properties.put(entry.getKey(), entry.getValue()));
    return properties;
  }
}
