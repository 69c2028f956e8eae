package io.orchestra.hadoop.testbed.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The versions this build of the testbed was made with; the root pom is where they are written.
 *
 * @param orchestra of our own jars
 * @param hadoop that clusters run unless told otherwise
 * @param hadoopTools of the examples, gridmix and rumen
 * @param dependencyPlugin of the Maven plugin that collects jars
 * @param junit4 that older mini clusters call
 */
public record Versions(
    String orchestra, String hadoop, String hadoopTools, String dependencyPlugin, String junit4) {

  public static Versions ofThisBuild() {
    Properties properties = new Properties();
    try (InputStream stream = Versions.class.getResourceAsStream("versions.properties")) {
      properties.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Versions(
        properties.getProperty("orchestra"),
        properties.getProperty("hadoop"),
        properties.getProperty("hadoop.tools"),
        properties.getProperty("dependency.plugin"),
        properties.getProperty("junit4"));
  }
}
