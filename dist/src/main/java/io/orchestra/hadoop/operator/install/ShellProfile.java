package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The file in {@code libexec/shellprofile.d} through which Hadoop's scripts put the jar of a role
 * on class paths. The roles of this host are written in it and nowhere else, and whether its
 * directory was made for it.
 */
final class ShellProfile {
  private static final Pattern ROLES =
      Pattern.compile("^_orchestra_roles=\" (.*) \"$", Pattern.MULTILINE);

  private static final String DIRECTORY_MADE =
      "# The directory of this file was made for it, and goes with it if nothing else is there.\n";

  private final Path file;

  ShellProfile(HadoopHome home) {
    file = home.profiles().resolve("orchestra.sh");
  }

  Path file() {
    return file;
  }

  /** The roles that the present file has; none if there is no file. */
  Set<Role> roles() throws IOException {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (Files.exists(file)) {
      Matcher matcher = ROLES.matcher(Files.readString(file));
      if (!matcher.find()) {
        throw new OperatorException(
            file + " is not one that this command wrote", "move it away, or give it another name");
      }
      for (String name : matcher.group(1).split(" ")) {
        roles.add(Role.named(name));
      }
    }
    return roles;
  }

  /** Whether an installer has made the directory of the file, or has to. */
  boolean needsDirectory() throws IOException {
    return Files.exists(file)
        ? Files.readString(file).endsWith(DIRECTORY_MADE)
        : !Files.isDirectory(file.getParent());
  }

  /** Whether the directory was made for the file, and has nothing else in it. */
  boolean isAloneInDirectoryOfItsOwn() throws IOException {
    if (!Files.exists(file) || !needsDirectory()) {
      return false;
    }
    try (Stream<Path> entries = Files.list(file.getParent())) {
      return entries.allMatch(file::equals);
    }
  }

  /**
   * What the file has to say.
   *
   * @param directoryMade whether its directory was made for it
   */
  static String render(String version, Set<Role> roles, boolean directoryMade) {
    String names =
        EnumSet.copyOf(roles).stream().map(Role::roleName).collect(Collectors.joining(" "));
    return template().replace("@version@", version).replace("@roles@", names)
        + (directoryMade ? DIRECTORY_MADE : "");
  }

  private static String template() {
    try (InputStream stream = ShellProfile.class.getResourceAsStream("orchestra.sh")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
