package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;

/** A host with map outputs of one job and the shuffle service of a NodeManager. */
final class ShuffleNode implements AutoCloseable {
  private final Path directory;
  private final Configuration conf;
  private final ShuffledJob outputs;
  private ShuffleHandler service;
  private int port;

  ShuffleNode(Path directory, ShuffleHandler service) throws IOException {
    this(directory, service, new Configuration());
  }

  /**
   * @param conf of the NodeManager
   */
  ShuffleNode(Path directory, ShuffleHandler service, Configuration conf) throws IOException {
    this.directory = directory;
    this.conf = conf;
    outputs = new ShuffledJob(directory.resolve("local"));
    start(service, 0);
    service.initializeApplication(
        new ApplicationInitializationContext(
            ShuffledJob.USER,
            ShuffledJob.APPLICATION,
            ShuffleHandler.serializeServiceData(outputs.token())));
  }

  ShuffledJob outputs() {
    return outputs;
  }

  /** How reducers are told of it. */
  String url() {
    return (conf.getBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, false) ? "https" : "http")
        + "://localhost:"
        + port;
  }

  void stop() {
    service.stop();
  }

  /** At the same port, with what is stored. */
  void restart(ShuffleHandler again) throws IOException {
    start(again, port);
  }

  private void start(ShuffleHandler started, int at) throws IOException {
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, at);
    service = started;
    service.setAuxiliaryLocalPathHandler(outputs);
    service.setRecoveryPath(
        new org.apache.hadoop.fs.Path(
            Files.createDirectories(directory.resolve("recovery")).toString()));
    service.init(conf);
    service.start();
    port = ShuffleHandler.deserializeMetaData(service.getMetaData());
  }

  @Override
  public void close() {
    service.stop();
  }
}
