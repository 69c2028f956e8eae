package io.orchestra.hadoop.testbed.cluster;

import com.google.common.base.Splitter;
import io.orchestra.hadoop.testbed.MissingPrerequisiteException;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What this machine must offer before hosts can be emulated on it. */
public final class Prerequisites {
  private static final Map<String, String> PACKAGES = new LinkedHashMap<>();

  static {
    PACKAGES.put("ip", "iproute2");
    PACKAGES.put("tc", "iproute2");
    PACKAGES.put("unshare", "util-linux");
    PACKAGES.put("nsenter", "util-linux");
    PACKAGES.put("setpriv", "util-linux");
    PACKAGES.put("setsid", "util-linux");
    PACKAGES.put("mount", "mount");
    PACKAGES.put("hostname", "hostname");
    PACKAGES.put("curl", "curl");
    PACKAGES.put("bash", "bash");
  }

  private static final List<String> NAMESPACES =
      List.of("unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--mount-proc");

  private static final String TRIAL =
      "ip link add name a type veth peer name b"
          + " && ip link add name c type bridge"
          + " && ip link set dev b master c"
          + " && tc qdisc add dev a root handle 1: htb default 1"
          + " && tc class add dev a parent 1: classid 1:1 htb rate 1mbit burst 64k";

  private static final String NOT_ROOT =
      "only root may make namespaces, enter them and shape links: run this as root";

  private Prerequisites() {}

  /** Fails with everything that is missing. */
  public static void require() {
    List<String> problems = problems();
    if (!problems.isEmpty()) {
      throw new MissingPrerequisiteException(
          "this machine cannot run a testbed:\n  " + String.join("\n  ", problems));
    }
  }

  /** Fails unless this process may enter hosts. */
  public static void requireRoot() {
    if (!isRoot()) {
      throw new MissingPrerequisiteException(NOT_ROOT);
    }
  }

  /** What is missing, each with its remedy; nothing if all is well. */
  public static List<String> problems() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return List.of("it is no Linux: hosts are Linux namespaces");
    }
    if (!isRoot()) {
      return List.of(NOT_ROOT);
    }
    List<String> problems = missingPrograms();
    problems.addAll(hiddenJava());
    return problems.isEmpty() ? missingKernelFeatures() : problems;
  }

  /** Fails unless a release can be assembled. */
  static void requireMaven() {
    if (!has("mvn")) {
      throw new MissingPrerequisiteException(
          "Maven is needed to fetch Hadoop: apt-get install maven, or unpack a release and give"
              + " --hadoop-home");
    }
  }

  /** All users of a host run this very Java. */
  private static List<String> hiddenJava() {
    try {
      TestbedHome.requireVisible(Jvm.home(), "set JAVA_HOME to another JDK");
      return List.of();
    } catch (TestbedException e) {
      return List.of("the JDK is out of reach: " + e.getMessage());
    }
  }

  private static List<String> missingPrograms() {
    List<String> problems = new ArrayList<>();
    TreeSet<String> packages = new TreeSet<>();
    PACKAGES.forEach(
        (program, debianPackage) -> {
          if (!has(program)) {
            problems.add("the program " + program + " is missing");
            packages.add(debianPackage);
          }
        });
    if (!packages.isEmpty()) {
      problems.add("get them with: apt-get install " + String.join(" ", packages));
    }
    return problems;
  }

  private static List<String> missingKernelFeatures() {
    List<String> words = new ArrayList<>(NAMESPACES);
    words.add("true");
    Command.Outcome namespaces = Command.of(words).run();
    if (!namespaces.succeeded()) {
      return List.of(
          "namespaces cannot be made ("
              + namespaces.error().strip()
              + "): inside a container, run"
              + " it with --privileged");
    }
    Command.Outcome network = Command.of("unshare", "--net", "bash", "-c", TRIAL).run();
    if (!network.succeeded()) {
      return List.of(
          "links cannot be made and shaped ("
              + network.error().strip()
              + "): the kernel needs veth, bridge and sch_htb; try modprobe -a veth bridge sch_htb");
    }
    return List.of();
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a program is on this process's path. */
  public static boolean has(String program) {
    return Splitter.on(':').splitToList(System.getenv().getOrDefault("PATH", "")).stream()
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }
}
