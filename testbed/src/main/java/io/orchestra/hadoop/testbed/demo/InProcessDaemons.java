package io.orchestra.hadoop.testbed.demo;

import io.orchestra.hadoop.testbed.hadoop.Plugin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/**
 * HDFS and YARN in one process, on the jars of a release.
 *
 * <p>Reads site files below its working directory, writes the configuration for clients there, says
 * on standard output where its NameNode answers HTTP, and ends with its standard input.
 */
final class InProcessDaemons {
  static final String READY = "ready ";
  private static final int DATA_NODES = 6;
  private static final int NODE_MANAGERS = 2;
  private static final List<String> SITES = List.of("core", "hdfs", "yarn", "mapred");

  /** Paths that no two DataNodes may share. */
  private static final List<String> OWN_PATHS =
      List.of(Plugin.BLOCK_CACHE_SOCKET, Plugin.BLOCK_CACHE_DIRECTORY);

  private InProcessDaemons() {}

  public static void main(String[] arguments) throws IOException {
    Path work = Path.of(arguments[0]);
    Configuration configuration = configuration(work.resolve(InProcessSettings.DIRECTORY));
    try (MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(configuration, work.resolve("dfs").toFile())
            .numDataNodes(DATA_NODES)
            .dataNodeConfOverlays(overlays(configuration))
            .racks(new String[] {"/rack1", "/rack1", "/rack2", "/rack2", "/rack3", "/rack3"})
            .build()) {
      hdfs.waitActive();
      directories(hdfs.getFileSystem());
      MiniMRYarnCluster yarn = new MiniMRYarnCluster("demo", NODE_MANAGERS);
      yarn.init(configuration);
      yarn.start();
      write(yarn.getConfig(), work.resolve("conf"));
      System.out.println(READY + hdfs.getHttpUri(0));
      System.out.flush();
      System.in.transferTo(OutputStream.nullOutputStream());
      // An orderly end waits half a minute for applications that are long over.
      Runtime.getRuntime().halt(0);
    }
  }

  private static Configuration configuration(Path directory) {
    Configuration configuration = new Configuration();
    for (String site : SITES) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(directory.resolve(site + "-site.xml").toUri()));
    }
    return configuration;
  }

  /** What each DataNode has for itself: all but the first have other paths than clients look at. */
  static Configuration[] overlays(Configuration common) {
    Configuration[] overlays = new Configuration[DATA_NODES];
    for (int number = 0; number < DATA_NODES; number++) {
      overlays[number] = new Configuration(false);
      for (String key : OWN_PATHS) {
        String path = common.get(key);
        if (path != null && number > 0) {
          overlays[number].set(key, path + "." + number);
        }
      }
    }
    return overlays;
  }

  /** Defaults of one site override another site's file, so every file holds everything. */
  private static void write(Configuration configuration, Path directory) throws IOException {
    for (String site : SITES) {
      try (OutputStream out = Files.newOutputStream(directory.resolve(site + "-site.xml"))) {
        configuration.writeXml(out);
      }
    }
  }

  private static void directories(FileSystem files) throws IOException {
    for (String user : List.of("alice", "bob")) {
      org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/" + user);
      files.mkdirs(home);
      files.setOwner(home, user, "users");
    }
    org.apache.hadoop.fs.Path temporary = new org.apache.hadoop.fs.Path("/tmp");
    files.mkdirs(temporary);
    files.setPermission(temporary, new FsPermission((short) 01777));
  }
}
