package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.SettingReader;
import io.orchestra.hadoop.operator.install.Site;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads our settings as each program does, and tells everything that is wrong with them. */
final class SettingsCheck {
  private static final String OURS = "orchestra.";

  private final ProgramConfigurations configurations;
  private final Findings findings;

  SettingsCheck(ProgramConfigurations configurations, Findings findings) {
    this.configurations = configurations;
    this.findings = findings;
  }

  void run(List<SettingsModule> modules) {
    int before = findings.all().size();
    modules.forEach(this::values);
    Set<String> ours = new TreeSet<>();
    for (Site site : Site.values()) {
      for (String key : configurations.in(site).keySet()) {
        if (key.startsWith(OURS)) {
          ours.add(key);
          place(key, site, modules);
        }
      }
    }
    if (findings.all().size() == before) {
      findings.ok("all %d settings of ours in the configuration are right".formatted(ours.size()));
    }
  }

  private void values(SettingsModule module) {
    Map<String, Set<Program>> problems = new LinkedHashMap<>();
    Set<String> unknown = new TreeSet<>();
    for (Program program : module.readers()) {
      try {
        Object unused = module.parser().parse(configurations.of(program));
      } catch (InvalidConfigurationException e) {
        for (String problem : e.problems()) {
          Set<Program> readers =
              problems.computeIfAbsent(problem, text -> EnumSet.noneOf(Program.class));
          readers.add(program);
        }
      }
      unknown.addAll(
          SettingReader.unknownKeys(
              configurations.of(program), module.prefix(), module.settings()));
    }
    problems.forEach((problem, readers) -> tell(problem, module, readers));
    for (String key : unknown) {
      findings.problem(
          "%s is not a setting and has no effect".formatted(key),
          "correct its name (docs/configuration.md lists all settings), or remove it");
    }
  }

  private void tell(String problem, SettingsModule module, Set<Program> readers) {
    // Their last sentence is the remedy.
    int end = problem.lastIndexOf(". ", problem.length() - 2);
    findings.problem(
        problem.substring(0, Math.max(end, 0))
            + (readers.equals(module.readers())
                ? ""
                : " (read by %s)".formatted(Program.titles(readers))),
        problem.substring(end < 0 ? 0 : end + 2));
  }

  private void place(String key, Site site, List<SettingsModule> modules) {
    Optional<SettingsModule> module =
        modules.stream().filter(candidate -> key.startsWith(candidate.prefix())).findFirst();
    if (module.isEmpty()) {
      findings.problem(
          "%s is of no plugin of this version, and has no effect".formatted(key),
          "correct its name (docs/configuration.md lists all settings), or remove it");
    } else if (!module.get().files().contains(site.fileName())) {
      findings.problem(
          "%s stands in %s, which those who read it do not read".formatted(key, site.fileName()),
          "move it to " + module.get().files().get(0));
    }
  }
}
