package io.orchestra.hadoop.broadcast.upstream;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * The local file system for a suite that knows no other: a file that is opened is put into HDFS,
 * and read from there. Status, permissions and what is written are local.
 */
public final class OpenedInHdfs extends LocalFileSystem {
  private static final AtomicInteger COPIES = new AtomicInteger();
  private static MiniDFSCluster cluster;

  /** Null while there is no HDFS: files are read where they are. */
  private static volatile FileSystem hdfs;

  static void start() throws IOException {
    cluster = new MiniDFSCluster.Builder(new HdfsConfiguration()).numDataNodes(1).build();
    cluster.waitActive();
    hdfs = cluster.getFileSystem();
  }

  static void stop() {
    hdfs = null;
    cluster.shutdown();
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    FileSystem copies = hdfs;
    if (copies == null) {
      return super.open(file, bufferSize);
    }
    Path copy = new Path("/" + COPIES.incrementAndGet(), file.getName());
    try (OutputStream out = copies.create(copy)) {
      Files.copy(pathToFile(file).toPath(), out);
    }
    return copies.open(copy, bufferSize);
  }
}
