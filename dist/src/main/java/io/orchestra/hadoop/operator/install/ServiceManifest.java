package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The file that declares a NodeManager's auxiliary services, where its configuration says that one
 * does.
 */
final class ServiceManifest {
  private static final String MANIFEST = "yarn.nodemanager.aux-services.manifest";
  private static final String ENABLED = MANIFEST + ".enabled";

  private ServiceManifest() {}

  /**
   * One line for each class whose name begins so, with the file; none if there is no manifest.
   *
   * @throws OperatorException if it cannot be read from here
   */
  static List<String> named(Path configuration, String beginning) {
    Map<String, SiteFile.Value> properties = new LinkedHashMap<>();
    for (Site site : List.of(Site.CORE, Site.YARN)) {
      properties.putAll(SiteFile.read(configuration.resolve(site.fileName())));
    }
    String manifest = text(properties, MANIFEST);
    if (!text(properties, ENABLED).equalsIgnoreCase("true") || manifest.isEmpty()) {
      return List.of();
    }
    Pattern name = Pattern.compile(Pattern.quote(beginning) + "[\\w.$]*");
    return name.matcher(read(manifest))
        .results()
        .map(MatchResult::group)
        .distinct()
        .map(found -> "%s in %s, which %s names".formatted(found, manifest, MANIFEST))
        .toList();
  }

  private static String text(Map<String, SiteFile.Value> properties, String key) {
    return properties.containsKey(key) ? properties.get(key).text() : "";
  }

  private static String read(String manifest) {
    try {
      URI file = URI.create(manifest);
      if (!"file".equals(file.getScheme())) {
        throw new IOException("it is not on this host");
      }
      return Files.readString(Path.of(file.getPath()));
    } catch (IOException | IllegalArgumentException e) {
      throw new OperatorException(
          "the manifest of auxiliary services %s cannot be read, and may name classes of Orchestra: %s"
              .formatted(manifest, e),
          "check that it names none; then --force removes the jars",
          e);
    }
  }
}
