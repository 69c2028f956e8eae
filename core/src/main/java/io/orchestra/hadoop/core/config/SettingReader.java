package io.orchestra.hadoop.core.config;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads settings and keeps every problem until {@link #verify}, so that an operator sees all of
 * them at once, each with its remedy.
 *
 * <p>Used by one thread while one configuration record is built.
 */
public final class SettingReader {
  private static final Logger LOG = LoggerFactory.getLogger(SettingReader.class);

  private final Configuration conf;
  private final List<String> problems = new ArrayList<>();

  public SettingReader(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Reads a setting that has a default. After a problem the default is returned and {@link #verify}
   * throws.
   */
  public <T> T read(Setting<T> setting) {
    checkState(!setting.defaultText().isEmpty(), "%s has no default", setting.key());
    return readOptional(setting).orElseGet(() -> setting.parser().parse(setting.defaultText()));
  }

  /** Reads a setting that may be absent. */
  public <T> Optional<T> readOptional(Setting<T> setting) {
    String text = Strings.nullToEmpty(conf.getTrimmed(setting.key()));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(setting.parser().parse(text));
    } catch (IllegalArgumentException e) {
      problems.add(
          "%s = '%s': %s. Set %s, or remove it for %s."
              .formatted(
                  setting.key(),
                  text,
                  e.getMessage(),
                  setting.accepts(),
                  setting.defaultText().isEmpty()
                      ? "a derived value"
                      : "the default " + setting.defaultText()));
      return Optional.empty();
    }
  }

  /**
   * Adds a problem that concerns several settings, unless {@code holds}. The text ends with the
   * remedy.
   */
  public void require(boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }

  /**
   * @throws InvalidConfigurationException if any setting read so far had a problem
   */
  public void verify() throws InvalidConfigurationException {
    if (!problems.isEmpty()) {
      throw new InvalidConfigurationException(ImmutableList.copyOf(problems));
    }
  }

  /**
   * The same, for whoever reads all settings of a module: also warns of names under {@code prefix}
   * that no setting has, most likely misspelt and without effect.
   */
  public void verify(String prefix, Iterable<Setting<?>> settings)
      throws InvalidConfigurationException {
    verify();
    unknownKeys(conf, prefix, settings)
        .forEach(key -> LOG.warn("{} is not a setting and has no effect: misspelt?", key));
  }

  /** Names under {@code prefix} that no setting has. */
  public static Set<String> unknownKeys(
      Configuration conf, String prefix, Iterable<Setting<?>> settings) {
    Set<String> unknown = new TreeSet<>();
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(prefix)) {
        unknown.add(entry.getKey());
      }
    }
    settings.forEach(setting -> unknown.remove(setting.key()));
    return unknown;
  }
}
