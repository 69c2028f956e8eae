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
   * @param key that tells it
   * @param values names of classes, one of which is enough; or {@code true}
   */
  record Part(Program program, String key, Set<String> values) {
    boolean named(Configuration conf) {
      return conf.getTrimmedStringCollection(key).stream().anyMatch(values::contains);
    }

    /** What is wrong where it is not named. */
    String absence() {
      return values.equals(TRUE)
          ? key + " is not true"
          : "%s does not name %s"
              .formatted(key, values.stream().sorted().findFirst().orElseThrow());
    }

    /** Whether other plugins have it too. */
    boolean isShared() {
      return key.equals(ACCESSORS);
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
    return parts.stream().anyMatch(part -> part.key().equals(ACCESSORS));
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
