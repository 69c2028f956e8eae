package io.orchestra.hadoop.operator.install;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells an operator which properties of {@code conf/all} the processes of a host read. */
public final class PropertiesToAdd {
  private static final String APPLICATION_CLASS_PATH = "mapreduce.application.classpath";

  private final Release release;

  public PropertiesToAdd(Release release) {
    this.release = release;
  }

  /** XML to paste, one part for each site file. */
  public String text(HadoopHome home, Set<Role> roles) {
    StringBuilder text = new StringBuilder();
    for (Site site : Site.values()) {
      Map<String, SiteFile.Value> properties = new LinkedHashMap<>();
      Set<Role> readers = EnumSet.noneOf(Role.class);
      SiteFile.read(release.allSettings().resolve(site.fileName()))
          .forEach(
              (key, value) -> {
                Set<Role> readingHere = EnumSet.copyOf(PropertyReaders.of(key));
                readingHere.retainAll(site.readers());
                readingHere.retainAll(roles);
                if (!readingHere.isEmpty()) {
                  properties.put(key, value);
                  readers.addAll(readingHere);
                }
              });
      if (!properties.isEmpty()) {
        text.append(heading(site, readers));
        properties.forEach((key, value) -> text.append(property(key, value)));
        text.append('\n');
      }
    }
    return text.append(containers(home)).toString();
  }

  private static String heading(Site site, Set<Role> readers) {
    return "%s, read by %s:\n\n"
        .formatted(
            site.fileName(), readers.stream().map(Role::title).collect(Collectors.joining(", ")));
  }

  private static String property(String key, SiteFile.Value value) {
    return """
      <property>
        <name>%s</name>
        <value>%s</value>
    %s%s  </property>
    """
        .formatted(
            key,
            escaped(value.text()),
            value.last() ? "    <final>true</final>\n" : "",
            value.description().isEmpty()
                ? ""
                : "    <description>%s</description>\n".formatted(escaped(value.description())));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String containers(HadoopHome home) {
    return """
    Where a list already has values, append a comma and ours. If you have set %1$s,
    append this to your value (on this host it is %2$s):

      ,$HADOOP_MAPRED_HOME/orchestra/current/%3$s

    Its description above says when containers know that variable, which by Hadoop's default they do not.

    If tasks take Hadoop from an archive (mapreduce.application.framework.path), put the jar into the archive as
    orchestra/%3$s, and append

      ,$PWD/mr-framework/orchestra/%3$s

    where mr-framework is the name after the # in your archive's path.
    """
        .formatted(
            APPLICATION_CLASS_PATH,
            new Installation(home).current().resolve(Role.CLIENT.stableJarName()),
            Role.CLIENT.stableJarName());
  }
}
