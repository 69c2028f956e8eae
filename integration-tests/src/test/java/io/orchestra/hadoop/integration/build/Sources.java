package io.orchestra.hadoop.integration.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The project's sources, to look up what pages say of them.
 *
 * @param classes simple names of files of Java, tests too
 * @param text of what is not a test, messages of protocols too; string literals that are added to
 *     each other are one
 */
record Sources(Set<String> classes, String text) {
  private static final String JAVA = ".java";
  private static final String PROTOBUF = ".proto";
  private static final int DEEPEST_MODULE = 2;

  static Sources read(Path root) throws IOException {
    Set<String> classes = new HashSet<>();
    StringBuilder text = new StringBuilder();
    try (Stream<Path> folders = Files.walk(root, DEEPEST_MODULE)) {
      for (Path module : folders.filter(Sources::isModule).toList()) {
        for (Path file : files(module.resolve("src"))) {
          String name = file.getFileName().toString();
          if (name.endsWith(JAVA)) {
            classes.add(name.substring(0, name.length() - JAVA.length()));
          }
          if (file.startsWith(module.resolve("src/main"))) {
            text.append(Files.readString(file)).append('\n');
          }
        }
      }
    }
    String joined = text.toString().replaceAll("\"\\s*\\+\\s*\"", "").replace("\\\"", "\"");
    return new Sources(classes, joined);
  }

  private static boolean isModule(Path folder) {
    return Files.exists(folder.resolve("pom.xml")) && Files.exists(folder.resolve("src"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(JAVA) || file.toString().endsWith(PROTOBUF))
          .toList();
    }
  }

  boolean haveClass(String simpleName) {
    return classes.contains(simpleName);
  }

  /** Of an enum, also of a protocol. */
  boolean haveConstant(String name) {
    return Pattern.compile("(?m)^ +" + name + "[,;({ \n]").matcher(text).find();
  }

  boolean haveText(String what) {
    return text.contains(what);
  }
}
