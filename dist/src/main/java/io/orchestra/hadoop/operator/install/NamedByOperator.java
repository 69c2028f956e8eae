package io.orchestra.hadoop.operator.install;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where an operator's site files, and the manifest that they name, name classes of ours. */
final class NamedByOperator {
  private static final String OURS = "io.orchestra.hadoop.";

  private NamedByOperator() {}

  /**
   * One line for each property, with the file.
   *
   * @throws io.orchestra.hadoop.operator.OperatorException if a file cannot be read
   */
  static List<String> in(Path configuration) {
    List<String> named = new ArrayList<>();
    for (Site site : Site.values()) {
      Path file = configuration.resolve(site.fileName());
      SiteFile.read(file)
          .forEach(
              (key, value) -> {
                if (value.text().contains(OURS)) {
                  named.add("%s = %s in %s".formatted(key, value.text(), file));
                }
              });
    }
    named.addAll(ServiceManifest.named(configuration, OURS));
    return named;
  }
}
