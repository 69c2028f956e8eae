package io.orchestra.hadoop.shuffle;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The service in a process that, like a NodeManager, has loaded no class of MapReduce's clients
 * before. Says whether our part is on.
 */
final class ServiceProgram {
  static final String ON = "our part is on";

  private ServiceProgram() {}

  /**
   * @param arguments a directory to work in
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Configuration conf = new YarnConfiguration();
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    WeightedShuffleHandler service = new WeightedShuffleHandler();
    service.setAuxiliaryLocalPathHandler(new ShuffledJob(directory.resolve("local")));
    service.setRecoveryPath(
        new org.apache.hadoop.fs.Path(
            Files.createDirectories(directory.resolve("recovery")).toString()));
    service.init(conf);
    service.start();
    boolean on = DefaultMetricsSystem.instance().getSource("OrchestraShuffleServer") != null;
    System.out.println(on ? ON : "it is the stock service");
    service.stop();
    System.exit(0);
  }
}
