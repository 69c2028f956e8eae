package io.orchestra.hadoop.testbed.hadoop;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Java virtual machines of the cluster: many on one machine, so each is kept small. */
public final class Jvm {
  /** Hadoop's own start scripts open these packages too, on JDK 17. */
  private static final List<String> OPENED = List.of("lang", "util", "net", "nio", "io");

  private Jvm() {}

  /** The path of the program; the one that runs this command. */
  public static String program() {
    return home().resolve("bin/java").toString();
  }

  public static Path home() {
    return Path.of(System.getProperty("java.home"));
  }

  /** Options of any Hadoop process. */
  public static List<String> options(int heapMegabytes) {
    return Stream.concat(
            Stream.of(
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true"),
            OPENED.stream().map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED"))
        .toList();
  }
}
