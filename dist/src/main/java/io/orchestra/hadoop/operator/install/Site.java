package io.orchestra.hadoop.operator.install;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The files by which a Hadoop cluster is configured. */
public enum Site {
  CORE(EnumSet.allOf(Role.class)),
  HDFS(EnumSet.allOf(Role.class)),
  YARN(EnumSet.of(Role.RESOURCEMANAGER, Role.NODEMANAGER, Role.CLIENT)),
  MAPRED(EnumSet.of(Role.CLIENT));

  private final Set<Role> readers;

  Site(Set<Role> readers) {
    this.readers = readers;
  }

  /** Whose settings are taken from it. */
  Set<Role> readers() {
    return readers;
  }

  public String fileName() {
    return name().toLowerCase(Locale.ROOT) + "-site.xml";
  }

  /**
   * That a directory is not what daemons are configured by: Hadoop's releases come with files that
   * are empty. Empty if it may be.
   *
   * @throws io.orchestra.hadoop.operator.OperatorException if a file cannot be read
   */
  public static Optional<String> nothingIn(Path configuration) {
    List<Path> files =
        Arrays.stream(values())
            .map(site -> configuration.resolve(site.fileName()))
            .filter(Files::exists)
            .toList();
    if (files.stream().anyMatch(file -> !SiteFile.read(file).isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(
        (files.isEmpty()
                ? "there is no site file in "
                : "there is no property in any site file in ")
            + configuration);
  }
}
