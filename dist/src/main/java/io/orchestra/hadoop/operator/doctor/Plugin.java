package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.operator.install.Role;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * A plugin as the doctor knows it.
 *
 * @param name of its module, and of its folder in {@code conf}
 * @param settings its own
 * @param switches settings that switch it off where they are false
 * @param parts without any of which it does not work
 * @param hindrances with any of which it does nothing
 * @param probe asks running daemons
 */
record Plugin(
    String name,
    SettingsModule settings,
    List<String> switches,
    List<Part> parts,
    List<Hindrance> hindrances,
    LiveProbe probe) {
  /** Names what clients ask the block cache with. */
  static final String ACCESSORS = "dfs.client.replica.accessor.builder.classes";

  /** The value of a switch. */
  static final Set<String> TRUE = Set.of("true");

  /**
   * What one program has to be told.
   *
   * @param keys that tell it, one of which is enough; the usual one first
   * @param values names of classes, one of which is enough; or {@code true}
   */
  record Part(Program program, List<String> keys, Set<String> values) {
    Part(Program program, String key, Set<String> values) {
      this(program, List.of(key), values);
    }

    boolean named(Configuration conf) {
      return keys.stream().anyMatch(key -> isNamedBy(key, conf));
    }

    private boolean isNamedBy(String key, Configuration conf) {
      return conf.getTrimmedStringCollection(key).stream().anyMatch(values::contains);
    }

    /** The usual key, if only another names it. */
    Optional<String> usualKeyPassedOver(Configuration conf) {
      String usual = keys.get(0);
      return named(conf) && !isNamedBy(usual, conf) ? Optional.of(usual) : Optional.empty();
    }

    /** What is wrong where it is not named. */
    String absence() {
      if (values.equals(TRUE)) {
        return keys.get(0) + " is not true";
      }
      String names = String.join(" or ", values.stream().sorted().toList());
      return keys.size() == 1
          ? "%s does not name %s".formatted(keys.get(0), names)
          : "none of %s names %s".formatted(String.join(", ", keys), names);
    }

    /** Whether other plugins have it too. */
    boolean isShared() {
      return keys.contains(ACCESSORS);
    }

    /** Whether jobs bring it, each from where it is submitted. */
    boolean isOfJobs() {
      return program == Program.TASK;
    }
  }

  /**
   * A setting of Hadoop's that a plugin does not go with.
   *
   * @param key where it is true
   */
  record Hindrance(Program program, String key) {}

  /** Whether DataNodes serve it to clients of their hosts. */
  boolean usesBlockCache() {
    return parts.stream().anyMatch(part -> part.keys().contains(ACCESSORS));
  }

  /** A class of its module that the jar of a role has, if that has any. */
  Optional<String> classFor(Role role) {
    return parts.stream()
        .filter(part -> part.program().role() == role)
        .filter(part -> !part.isShared() && !part.values().equals(TRUE))
        .flatMap(part -> part.values().stream().sorted())
        .findFirst();
  }

  /** The parts of some programs. */
  List<Part> parts(Set<Program> programs) {
    return parts.stream().filter(part -> programs.contains(part.program())).toList();
  }
}
