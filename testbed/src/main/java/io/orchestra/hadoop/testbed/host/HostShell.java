package io.orchestra.hadoop.testbed.host;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.process.Command;
import io.orchestra.hadoop.testbed.process.ProcessIdentity;
import io.orchestra.hadoop.testbed.process.ProcessTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the command lines that run programs on one emulated host, as one of its users; fails if
 * the host has ended.
 *
 * @param host the host's name
 * @param init its first process
 * @param mountPoint where it sees its own directory
 */
public record HostShell(String host, ProcessIdentity init, Path mountPoint) {

  /**
   * A program there as a user, or as root if none is named, with nothing of this process's
   * environment.
   */
  public Command command(Optional<Account> user, List<String> program) {
    return Command.of(words(user, program))
        .named(String.join(" ", program) + " on " + host)
        .withOnly(environment(user));
  }

  /** The words that run a program there, as a user, or as root if none is named. */
  public List<String> words(Optional<Account> user, List<String> program) {
    return words(user, Optional.empty(), program);
  }

  /**
   * The words that run a program there.
   *
   * @param directory where it starts; the root directory if empty
   */
  public List<String> words(
      Optional<Account> user, Optional<Path> directory, List<String> program) {
    ProcessTable.ofThisMachine().require(init, "host " + host);
    List<String> words = new ArrayList<>();
    words.addAll(List.of("nsenter", "--target", Long.toString(init.pid()), "--all", "--"));
    // nsenter resolves names before it enters: the directory and the user are those of the host.
    directory.ifPresent(path -> words.addAll(List.of("env", "--chdir=" + path)));
    user.ifPresent(
        account ->
            words.addAll(
                List.of(
                    "setpriv",
                    "--reuid=" + account.userName(),
                    "--regid=" + account.group().groupName(),
                    "--init-groups")));
    words.addAll(program);
    return words;
  }

  /** The words that leave a program running there after they end, out of reach of the terminal. */
  public List<String> background(Optional<Account> user, List<String> program) {
    List<String> words = new ArrayList<>(List.of("setsid", "--fork"));
    words.addAll(program);
    return words(user, words);
  }

  /**
   * What such a program finds in its environment, next to {@code HOME}, nothing of the caller's.
   */
  public Map<String, String> environment(Optional<Account> user) {
    ImmutableMap.Builder<String, String> environment = ImmutableMap.builder();
    environment.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    environment.put("LANG", "C.UTF-8");
    String name = user.map(Account::userName).orElse("root");
    environment.put("USER", name);
    environment.put("LOGNAME", name);
    environment.put("HOME", user.map(u -> home(u).toString()).orElse("/root"));
    Optional.ofNullable(System.getenv("TERM")).ifPresent(term -> environment.put("TERM", term));
    return environment.buildOrThrow();
  }

  private Path home(Account user) {
    return mountPoint.resolve("home").resolve(user.userName());
  }
}
