package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A fresh cluster that the demo runs its steps on; closing it ends all its processes. */
interface DemoCluster extends AutoCloseable {
  /** Runs a stock client to its end, with its output added to a log; fails if it fails. */
  void hadoop(Account user, List<String> words, Path log);

  /** Makes the directory that the superuser {@code hdfs} can copy files to. */
  Path fetchDirectory();

  /** The JSON at a path of the NameNode's web server, if it answers. */
  Optional<JsonNode> nameNode(String path);

  /** All went well: closing removes the logs of the daemons too. */
  void succeeded();

  /** What could not be removed; empty after a clean end. */
  List<String> leftovers();

  @Override
  void close();
}
