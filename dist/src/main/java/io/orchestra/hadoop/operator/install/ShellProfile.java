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

/**
 * The file in {@code libexec/shellprofile.d} through which Hadoop's scripts put the jar of a role
 * on class paths. The roles of this host are written in it and nowhere else.
 */
final class ShellProfile {
  private static final Pattern ROLES =
      Pattern.compile("^_orchestra_roles=\" (.*) \"$", Pattern.MULTILINE);

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

  /** What the file has to say. */
  static String render(String version, Set<Role> roles) {
    String names =
        EnumSet.copyOf(roles).stream().map(Role::roleName).collect(Collectors.joining(" "));
    return template().replace("@version@", version).replace("@roles@", names);
  }

  private static String template() {
    try (InputStream stream = ShellProfile.class.getResourceAsStream("orchestra.sh")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
