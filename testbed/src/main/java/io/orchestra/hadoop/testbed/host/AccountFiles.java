package io.orchestra.hadoop.testbed.host;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The {@code /etc/passwd} and {@code /etc/group} of emulated hosts: the machine's, and ours. */
public final class AccountFiles {
  private AccountFiles() {}

  /**
   * @param machine the machine's own file; entries with our names make way
   * @param homes the directory of the home directories
   */
  public static String passwd(String machine, String homes) {
    List<String> lines =
        without(
            machine,
            Arrays.stream(Account.values()).map(Account::userName).collect(Collectors.toSet()));
    for (Account account : Account.values()) {
      lines.add(
          "%s:x:%d:%d::%s/%s:/bin/bash"
              .formatted(
                  account.userName(),
                  account.number(),
                  account.group().number(),
                  homes,
                  account.userName()));
    }
    return String.join("\n", lines) + "\n";
  }

  public static String group(String machine) {
    List<String> lines =
        without(
            machine,
            Arrays.stream(Account.Group.values())
                .map(Account.Group::groupName)
                .collect(Collectors.toSet()));
    for (Account.Group group : Account.Group.values()) {
      lines.add("%s:x:%d:".formatted(group.groupName(), group.number()));
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> without(String file, Set<String> names) {
    List<String> lines = new ArrayList<>();
    for (String line : Splitter.on('\n').omitEmptyStrings().split(file)) {
      if (!names.contains(Splitter.on(':').splitToList(line).get(0))) {
        lines.add(line);
      }
    }
    return lines;
  }
}
