package io.orchestra.hadoop.testbed.cli;

import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.host.Account;
import java.util.Optional;

/**
 * Somebody who can run programs on emulated hosts.
 *
 * @param account nothing for root
 */
record HostUser(Optional<Account> account) {
  static HostUser named(String name) {
    if (name.equals("root")) {
      return new HostUser(Optional.empty());
    }
    return new HostUser(
        Optional.of(
            Account.named(name)
                .orElseThrow(
                    () ->
                        new TestbedException(
                            "there is no user '"
                                + name
                                + "': hosts have alice, bob, hdfs, yarn, mapred and root"))));
  }
}
