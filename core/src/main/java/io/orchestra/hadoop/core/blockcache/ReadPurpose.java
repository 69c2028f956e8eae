package io.orchestra.hadoop.core.blockcache;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a read goes through the cache. Asked at every block that any HDFS client opens. */
final class ReadPurpose {
  private static final Logger LOG = LoggerFactory.getLogger(ReadPurpose.class);

  /** The NodeManager's threads for public resources (ResourceLocalizationService). */
  private static final String PUBLIC = "PublicLocalizer";

  /** The localizer's threads for the resources of a user or an application (ContainerLocalizer). */
  private static final String PRIVATE = "ContainerLocalizer Downloader";

  // Keys of MapReduce (MRJobConfig): HDFS does not know its classes.
  private static final String TASK_ATTEMPT = "mapreduce.task.attempt.id";
  private static final String IS_MAP = "mapreduce.task.ismap";

  private ReadPurpose() {}

  /**
   * @return empty for reads that are none of ours
   */
  static Optional<ReadRequest.Purpose> of(Thread reader, String path, Configuration conf) {
    String name = reader.getName();
    if (name.startsWith(PUBLIC) || name.startsWith(PRIVATE)) {
      return Optional.of(ReadRequest.Purpose.LOCALIZATION);
    }
    String patterns = Strings.nullToEmpty(conf.get(BlockCacheConfig.PATHS_KEY));
    if (!patterns.isEmpty() && matches(patterns, path)) {
      return Optional.of(ReadRequest.Purpose.CHOSEN_PATH);
    }
    return isMap(conf) && conf.getBoolean(BlockCacheConfig.MAP_INPUT.key(), false)
        ? Optional.of(ReadRequest.Purpose.MAP_INPUT)
        : Optional.empty();
  }

  /** A map task's JVM reads little else from HDFS than its input. */
  private static boolean isMap(Configuration conf) {
    return conf.get(TASK_ATTEMPT) != null && conf.getBoolean(IS_MAP, false);
  }

  private static boolean matches(String patterns, String path) {
    try {
      Path file = Path.of(path);
      return Patterns.KNOWN.getUnchecked(patterns).stream()
          .anyMatch(pattern -> pattern.matches(file));
    } catch (InvalidPathException e) {
      // Letters that this process's locale does not know: no pattern can name it.
      return false;
    }
  }

  /** Most JVMs that read from HDFS never need them, and would load a hundred classes for them. */
  private static final class Patterns {
    /** Commas, but not those in braces. */
    private static final Splitter COMMAS =
        Splitter.onPattern(",(?![^{]*\\})").trimResults().omitEmptyStrings();

    private static final LoadingCache<String, List<PathMatcher>> KNOWN =
        CacheBuilder.newBuilder().maximumSize(100).build(CacheLoader.from(Patterns::compiled));

    private static List<PathMatcher> compiled(String patterns) {
      List<PathMatcher> matchers = new ArrayList<>();
      for (String pattern : COMMAS.split(patterns)) {
        try {
          matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + pattern));
        } catch (PatternSyntaxException e) {
          LOG.warn(
              "In {} '{}' is not a glob pattern and is ignored: {}",
              BlockCacheConfig.PATHS_KEY,
              pattern,
              e.getDescription());
        }
      }
      return List.copyOf(matchers);
    }
  }
}
