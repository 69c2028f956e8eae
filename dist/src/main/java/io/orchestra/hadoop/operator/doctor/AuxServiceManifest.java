package io.orchestra.hadoop.operator.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The auxiliary services of a NodeManager where a manifest declares them: then what yarn-site.xml
 * says of them has no effect.
 */
final class AuxServiceManifest {
  private static final String SERVICES = YarnConfiguration.NM_AUX_SERVICES + ".";
  private static final String CLASS_NAME = ".class";
  private static final String SHUFFLE = "mapreduce_shuffle";
  private static final String CLASS_PATH = YarnConfiguration.NM_AUX_SERVICES_CLASSPATH;
  private static final String REMOTE_CLASS_PATH = YarnConfiguration.NM_AUX_SERVICE_REMOTE_CLASSPATH;
  private static final Pattern CLASS =
      Pattern.compile(Pattern.quote(SERVICES) + ".+" + Pattern.quote(CLASS_NAME));

  private final Configuration conf;
  private final Findings findings;

  AuxServiceManifest(Configuration conf, Findings findings) {
    this.conf = conf;
    this.findings = findings;
  }

  /**
   * The configuration with the classes that a NodeManager takes; itself if there is no manifest.
   */
  Configuration applied() {
    if (!conf.getBoolean(YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED, false)) {
      requireListed();
      return conf;
    }
    String manifest = conf.getTrimmed(YarnConfiguration.NM_AUX_SERVICES_MANIFEST, "");
    Configuration applied = new Configuration(conf);
    for (String key : keys()) {
      applied.unset(key);
    }
    if (manifest.isEmpty()) {
      findings.problem(
          "%s is true and names no manifest: NodeManagers have no auxiliary services"
              .formatted(YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED),
          "set %s, or remove %s"
              .formatted(
                  YarnConfiguration.NM_AUX_SERVICES_MANIFEST,
                  YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED));
      return applied;
    }
    try {
      URI file = URI.create(manifest);
      if (!"file".equals(file.getScheme())) {
        throw new IOException("it is not on this host");
      }
      JsonNode services = new ObjectMapper().readTree(Files.readString(Path.of(file.getPath())));
      for (JsonNode service : services.path("services")) {
        String name = service.path("name").asText();
        String type = service.path("configuration").path("properties").path("class.name").asText();
        if (!name.isEmpty() && !type.isEmpty()) {
          applied.set(SERVICES + name + CLASS_NAME, type);
        }
        if (ClassKey.isOurs(type) && !service.path("configuration").path("files").isEmpty()) {
          foreignLoader("files of %s in %s".formatted(name, manifest));
        }
      }
      findings.ok("auxiliary services are those of " + manifest);
      return applied;
    } catch (IOException | IllegalArgumentException e) {
      findings.unknown(
          "the manifest of auxiliary services %s cannot be read: %s; what yarn-site.xml says of them has no effect"
              .formatted(manifest, e.toString().lines().findFirst().orElseThrow()),
          "check that class.name of mapreduce_shuffle in it is the class that conf/mapreduce-shuffle/yarn-site.xml names");
      return conf;
    }
  }

  /** What has a class of ours and is not in the list, no NodeManager starts. */
  private void requireListed() {
    Collection<String> listed = conf.getTrimmedStringCollection(YarnConfiguration.NM_AUX_SERVICES);
    Set<String> named = ClassKey.AUX_SERVICE.named(conf).keySet();
    if (!listed.contains(SHUFFLE) && !named.contains(SERVICES + SHUFFLE + CLASS_NAME)) {
      findings.note(
          "%s does not list %s: no MapReduce job with reducers works on these NodeManagers"
              .formatted(YarnConfiguration.NM_AUX_SERVICES, SHUFFLE),
          "append it, and keep it also without our class: Hadoop's default is an empty list");
    }
    for (String key : named) {
      String service = key.substring(SERVICES.length(), key.length() - CLASS_NAME.length());
      if (!listed.contains(service)) {
        findings.problem(
            "%s does not list %s, so that NodeManagers start no such service"
                .formatted(YarnConfiguration.NM_AUX_SERVICES, service),
            "append it to the list");
      }
      for (String path : List.of(CLASS_PATH, REMOTE_CLASS_PATH)) {
        String full = path.formatted(service);
        if (!conf.getTrimmed(full, "").isEmpty()) {
          foreignLoader(full);
        }
      }
    }
  }

  /** Hadoop then loads our class apart from its own. */
  private void foreignLoader(String what) {
    findings.problem(
        what
            + " is set: the NodeManager does not start, since a class loader of its own is not told where map outputs are",
        "remove it; the jar is on the NodeManager's class path without it");
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<String, String> entry : conf) {
      if (CLASS.matcher(entry.getKey()).matches()) {
        keys.add(entry.getKey());
      }
    }
    return keys;
  }
}
