package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.doctor.Plugin.Part;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Which plugins the configuration switches on. */
final class PluginCheck {
  private final Configuration conf;
  private final Findings findings;

  PluginCheck(Configuration conf, Findings findings) {
    this.conf = conf;
    this.findings = findings;
  }

  /**
   * @param programs of this host
   * @return whether the plugin is on in any of them
   */
  boolean isOn(Plugin plugin, Set<Program> programs) {
    List<Part> here = plugin.parts(programs);
    List<Part> missing = here.stream().filter(part -> !part.named(conf)).toList();
    if (here.isEmpty()) {
      findings.note("%s: has no part in the roles of this host".formatted(plugin.name()), "");
      return false;
    }
    boolean begun = begun(plugin, here);
    if (!begun && missing.isEmpty()) {
      findings.note(
          "%s: what this host needs is named, and is used if the plugin is on elsewhere"
              .formatted(plugin.name()),
          "");
      return false;
    }
    if (!begun) {
      findings.note(
          "%s: off, the configuration does not name it".formatted(plugin.name()),
          "conf/%s has what switches it on".formatted(plugin.name()));
      return false;
    }
    for (Part part : missing) {
      if (part.isOfJobs()) {
        findings.note(
            "%s: %s: jobs that are submitted with this configuration do without it"
                .formatted(plugin.name(), part.absence()),
            "add it from conf/%s where jobs are submitted".formatted(plugin.name()));
      } else {
        findings.problem(
            "%s: %s, without which the other parts do nothing"
                .formatted(plugin.name(), part.absence()),
            "add it from conf/%s, or take the other parts out".formatted(plugin.name()));
      }
    }
    if (!missing.stream().allMatch(Part::isOfJobs)) {
      return false;
    }
    List<String> off =
        plugin.switches().stream().filter(key -> !conf.getBoolean(key, true)).toList();
    if (!off.isEmpty()) {
      findings.note("%s: off, %s is false".formatted(plugin.name(), String.join(" and ", off)), "");
      return false;
    }
    findings.ok("%s: on".formatted(plugin.name()));
    return true;
  }

  /**
   * Whether the configuration names a part that no other plugin has: of those for this host, or, if
   * it has none of these, of all.
   */
  private boolean begun(Plugin plugin, List<Part> here) {
    List<Part> own = own(here);
    return (own.isEmpty() ? own(plugin.parts()) : own).stream().anyMatch(part -> part.named(conf));
  }

  private static List<Part> own(List<Part> parts) {
    return parts.stream().filter(part -> !part.isShared()).toList();
  }
}
