package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.SettingReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Reads our settings as daemons do, and tells everything that is wrong with them. */
final class SettingsCheck {
  private static final String OURS = "orchestra.";

  private final Configuration conf;
  private final Findings findings;

  SettingsCheck(Configuration conf, Findings findings) {
    this.conf = conf;
    this.findings = findings;
  }

  void run(List<SettingsModule> modules) {
    int before = findings.all().size();
    modules.forEach(this::values);
    Map<String, String> ours = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(OURS)) {
        ours.put(entry.getKey(), entry.getValue());
      }
    }
    ours.keySet().forEach(key -> place(key, modules));
    if (findings.all().size() == before) {
      findings.ok("all %d settings of ours in the configuration are right".formatted(ours.size()));
    }
  }

  private void values(SettingsModule module) {
    try {
      Object unused = module.parser().parse(conf);
    } catch (InvalidConfigurationException e) {
      for (String problem : e.problems()) {
        // Their last sentence is the remedy.
        int end = problem.lastIndexOf(". ", problem.length() - 2);
        findings.problem(
            problem.substring(0, Math.max(end, 0)), problem.substring(end < 0 ? 0 : end + 2));
      }
    }
    for (String key : SettingReader.unknownKeys(conf, module.prefix(), module.settings())) {
      findings.problem(
          "%s is not a setting and has no effect".formatted(key),
          "see docs/configuration.md for its right name, or remove it");
    }
  }

  private void place(String key, List<SettingsModule> modules) {
    Optional<SettingsModule> module =
        modules.stream().filter(candidate -> key.startsWith(candidate.prefix())).findFirst();
    if (module.isEmpty()) {
      findings.problem(
          "%s is of no plugin of this version, and has no effect".formatted(key),
          "see docs/configuration.md for its right name, or remove it");
      return;
    }
    String[] sources = Optional.ofNullable(conf.getPropertySources(key)).orElse(new String[0]);
    boolean read =
        Arrays.stream(sources)
            .anyMatch(source -> module.get().files().stream().anyMatch(source::endsWith));
    if (sources.length > 0 && !read) {
      findings.problem(
          "%s stands in %s, which those who read it do not read"
              .formatted(key, fileName(sources[0])),
          "move it to " + module.get().files().stream().sorted().reduce((a, b) -> b).orElseThrow());
    }
  }

  private static String fileName(String source) {
    return source.substring(source.lastIndexOf('/') + 1);
  }
}
