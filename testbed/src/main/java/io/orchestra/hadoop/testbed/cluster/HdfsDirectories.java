package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.host.Account;
import java.util.ArrayList;
import java.util.List;

/** The directories of a new file system that users and daemons expect. */
final class HdfsDirectories {
  private record Directory(String path, Account owner, String mode) {}

  private static final List<Directory> DIRECTORIES =
      List.of(
          new Directory("/tmp", Account.HDFS, "1777"),
          new Directory("/user", Account.HDFS, "755"),
          new Directory("/user/alice", Account.ALICE, "755"),
          new Directory("/user/bob", Account.BOB, "755"),
          new Directory("/mr-history", Account.MAPRED, "755"),
          new Directory("/mr-history/tmp", Account.MAPRED, "1777"),
          new Directory("/mr-history/done", Account.MAPRED, "750"));

  private HdfsDirectories() {}

  /**
   * Makes them through the NameNode's web interface, which costs no start of a Java program.
   *
   * @param nameNode the address of that interface
   */
  static void make(WebClient web, String nameNode) {
    List<String> urls = new ArrayList<>();
    for (Directory directory : DIRECTORIES) {
      String url = nameNode + "/webhdfs/v1" + directory.path() + "?user.name=hdfs&op=";
      urls.add(url + "MKDIRS&permission=" + directory.mode());
      urls.add(
          url
              + "SETOWNER&owner="
              + directory.owner().userName()
              + "&group="
              + directory.owner().group().groupName());
    }
    web.put(urls);
  }
}
