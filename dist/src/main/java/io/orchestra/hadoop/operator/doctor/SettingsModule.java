package io.orchestra.hadoop.operator.doctor;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.config.Setting;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of one of our modules.
 *
 * @param prefix of their keys
 * @param readers of them
 * @param files in which they are meant to stand, the most usual first
 */
record SettingsModule(
    String prefix,
    List<Setting<?>> settings,
    Set<Program> readers,
    List<String> files,
    Parser parser) {

  /** Reads all of them. */
  @FunctionalInterface
  interface Parser {
    Object parse(Configuration conf) throws InvalidConfigurationException;
  }
}
