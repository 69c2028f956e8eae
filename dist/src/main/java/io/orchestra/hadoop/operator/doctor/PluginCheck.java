package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.doctor.Plugin.Hindrance;
import io.orchestra.hadoop.operator.doctor.Plugin.Part;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which plugins the configuration switches on. */
final class PluginCheck {
  private final ProgramConfigurations configurations;
  private final Findings findings;

  PluginCheck(ProgramConfigurations configurations, Findings findings) {
    this.configurations = configurations;
    this.findings = findings;
  }

  /**
   * @param programs of this host
   * @return whether the plugin is on in any of them
   */
  boolean isOn(Plugin plugin, Set<Program> programs) {
    List<Part> here = plugin.parts(programs);
    List<Part> missing = here.stream().filter(part -> !isNamed(part)).toList();
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
          "to switch it on, add the properties of conf/%s".formatted(plugin.name()));
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
            "add it from conf/%s, or remove the other parts".formatted(plugin.name()));
      }
    }
    if (!missing.stream().allMatch(Part::isOfJobs)) {
      return false;
    }
    if (isSwitchedOff(plugin, here) || isHindered(plugin, programs)) {
      return false;
    }
    findings.ok("%s: on".formatted(plugin.name()));
    here.forEach(part -> usualKey(plugin, part));
    return true;
  }

  private void usualKey(Plugin plugin, Part part) {
    part.usualKeyPassedOver(configurations.of(part.program()))
        .ifPresent(
            key ->
                findings.note(
                    "%s: %s does not name it, so what that key is for stays as it was"
                        .formatted(plugin.name(), key),
                    "nothing, if you have left it alone on purpose; otherwise take the value from conf/%s"
                        .formatted(plugin.name())));
  }

  /** Whether a daemon of this host is told to do nothing, or all that this host has is for jobs. */
  private boolean isSwitchedOff(Plugin plugin, List<Part> here) {
    Set<Program> programs = EnumSet.noneOf(Program.class);
    here.forEach(part -> programs.add(part.program()));
    Set<Program> off = EnumSet.noneOf(Program.class);
    Set<String> switches = new TreeSet<>();
    for (Program program : programs) {
      for (String key : plugin.switches()) {
        if (!configurations.of(program).getBoolean(key, true)) {
          off.add(program);
          switches.add(key);
        }
      }
    }
    if (off.isEmpty()) {
      return false;
    }
    findings.note(
        "%s: off%s, %s is false"
            .formatted(
                plugin.name(),
                off.equals(programs) ? "" : " in what is read by " + Program.titles(off),
                String.join(" and ", switches)),
        "");
    return off.equals(programs) || !off.equals(EnumSet.of(Program.TASK));
  }

  private boolean isHindered(Plugin plugin, Set<Program> programs) {
    List<Hindrance> here =
        plugin.hindrances().stream()
            .filter(hindrance -> programs.contains(hindrance.program()))
            .filter(
                hindrance ->
                    configurations.of(hindrance.program()).getBoolean(hindrance.key(), false))
            .toList();
    for (Hindrance hindrance : here) {
      findings.problem(
          "%s: does nothing, since %s is true".formatted(plugin.name(), hindrance.key()),
          "set it to false, or remove the plugin");
    }
    return !here.isEmpty();
  }

  private boolean isNamed(Part part) {
    return part.named(configurations.of(part.program()));
  }

  /**
   * Whether the configuration names a part that no other plugin has: of those for this host, or, if
   * it has none of these, of all.
   */
  private boolean begun(Plugin plugin, List<Part> here) {
    List<Part> own = own(here);
    return (own.isEmpty() ? own(plugin.parts()) : own).stream().anyMatch(this::isNamed);
  }

  private static List<Part> own(List<Part> parts) {
    return parts.stream().filter(part -> !part.isShared()).toList();
  }
}
