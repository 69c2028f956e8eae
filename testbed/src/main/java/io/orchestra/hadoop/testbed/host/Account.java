package io.orchestra.hadoop.testbed.host;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The users that exist on emulated hosts, and only there: Hadoop's daemons, and two people. */
public enum Account {
  HDFS(70_101, Group.HADOOP),
  YARN(70_102, Group.HADOOP),
  MAPRED(70_103, Group.HADOOP),
  ALICE(70_111, Group.USERS),
  BOB(70_112, Group.USERS);

  /** The groups of those users. */
  public enum Group {
    HADOOP(70_100),
    USERS(70_110);

    private final int number;

    Group(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    public String groupName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final int number;
  private final Group group;

  Account(int number, Group group) {
    this.number = number;
    this.group = group;
  }

  public int number() {
    return number;
  }

  public Group group() {
    return group;
  }

  public String userName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Account> named(String userName) {
    return Arrays.stream(values()).filter(a -> a.userName().equals(userName)).findFirst();
  }
}
