package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that the demo does, by a stock program.
 *
 * @param title what the table calls it
 * @param user who does it
 * @param words the stock client's command line
 * @param output the directory in HDFS that it makes
 */
record Step(String title, Account user, List<String> words, String output) {

  /**
   * All steps, in their order.
   *
   * @param text files of the local file system
   * @param rows of 100 bytes that are sorted
   */
  static List<Step> all(List<Path> text, long rows) {
    List<String> put = new ArrayList<>(List.of("hdfs", "dfs", "-put"));
    text.forEach(file -> put.add(file.toString()));
    put.add("/user/alice/text");
    return List.of(
        new Step("put text", Account.ALICE, put, "/user/alice/text"),
        example(Account.ALICE, "/user/alice/words", "wordcount", "/user/alice/text"),
        example(Account.BOB, "/user/bob/generated", "teragen", Long.toString(rows)),
        example(Account.BOB, "/user/bob/sorted", "terasort", "/user/bob/generated"),
        example(Account.BOB, "/user/bob/validated", "teravalidate", "/user/bob/sorted"));
  }

  private static Step example(Account user, String output, String name, String input) {
    List<String> words =
        List.of(
            "jar",
            "examples",
            name,
            "-Dmapreduce.job.maps=3",
            "-Dmapreduce.job.reduces=2",
            input,
            output);
    return new Step(name, user, words, output);
  }
}
