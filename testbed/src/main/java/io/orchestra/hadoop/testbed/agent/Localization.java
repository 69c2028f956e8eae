package io.orchestra.hadoop.testbed.agent;

import static com.google.common.base.Preconditions.checkArgument;

import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Brings files to this host as YARN's localizers do: with HDFS's own client, on a thread of their
 * name, from the first byte to the last, into a local file.
 *
 * <p>What a localizer does besides, such as comparing timestamps and unpacking, is left out.
 * Nothing is loaded for the first time in the second read.
 */
final class Localization implements Closeable {
  /** ContainerLocalizer's threads; plugins in HDFS's client go by the name. */
  private static final String THREAD = "ContainerLocalizer Downloader";

  /** FSDownload says so of all it reads. */
  private static final String READ_POLICY = "fs.option.openfile.read.policy";

  private static final String WHOLE_FILE = "whole-file";
  private static final String PLUGINS = "dfs.client.replica.accessor.builder.classes";

  private final FileSystem configured;
  private final FileSystem stock;
  private final ExecutorService downloaders =
      Executors.newCachedThreadPool(work -> DaemonThread.of(THREAD, work));

  /**
   * @param seconds from before the file was opened until all of it was on this host
   */
  record Localized(double seconds, Content.Copied copied) {

    /** The seconds, the bytes and their CRC32C. */
    @Override
    public String toString() {
      return seconds + " " + copied.bytes() + " " + copied.sum();
    }
  }

  Localization() throws IOException {
    // As a NodeManager has it.
    configured = FileSystem.newInstance(new YarnConfiguration());
    Configuration without = new YarnConfiguration();
    without.set(PLUGINS, "");
    stock = FileSystem.newInstance(without);
  }

  /**
   * Brings files here, all at the same time, while others may be talked about; tells when that is
   * done, and deletes them.
   *
   * @param plugins whether HDFS's client has the plugins that its configuration names
   */
  void begin(List<Path> files, boolean plugins, Conversation conversation) {
    checkArgument(!files.isEmpty(), "no file to be brought");
    FileSystem from = plugins ? configured : stock;
    List<Future<Localized>> downloads =
        files.stream().map(file -> downloaders.submit(() -> download(from, file))).toList();
    downloaders.execute(
        () -> {
          try {
            List<String> localized = new ArrayList<>();
            for (Future<Localized> download : downloads) {
              localized.add(download.get().toString());
            }
            conversation.answer("read " + String.join(" ", localized));
          } catch (ExecutionException e) {
            conversation.fail(e.getCause());
          } catch (InterruptedException e) {
            conversation.fail(e);
          }
        });
  }

  private static Localized download(FileSystem files, Path file)
      throws IOException, InterruptedException, ExecutionException {
    java.nio.file.Path local = Files.createTempFile("localized-", ".part");
    try {
      long start = System.nanoTime();
      Content.Copied copied;
      try (InputStream in = files.openFile(file).opt(READ_POLICY, WHOLE_FILE).build().get();
          OutputStream out = Files.newOutputStream(local)) {
        copied = Content.copy(in, out);
      }
      return new Localized((System.nanoTime() - start) / 1e9, copied);
    } finally {
      Files.delete(local);
    }
  }

  @Override
  public void close() throws IOException {
    downloaders.shutdownNow();
    configured.close();
    stock.close();
  }
}
