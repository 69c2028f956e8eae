package io.orchestra.hadoop.core.blockcache;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.Streams;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Whether a read goes through the cache. Asked at every block that any HDFS client opens. */
final class ReadPurpose {
  /** The NodeManager's threads for public resources (ResourceLocalizationService). */
  private static final String PUBLIC = "PublicLocalizer";

  /** The localizer's threads for the resources of a user or an application (ContainerLocalizer). */
  private static final String PRIVATE = "ContainerLocalizer Downloader";

  private static final LoadingCache<String, List<PathMatcher>> PATTERNS =
      CacheBuilder.newBuilder().maximumSize(100).build(CacheLoader.from(ReadPurpose::compiled));

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
    return !patterns.isEmpty() && matches(patterns, path)
        ? Optional.of(ReadRequest.Purpose.CHOSEN_PATH)
        : Optional.empty();
  }

  private static boolean matches(String patterns, String path) {
    Path file = Path.of(path);
    return PATTERNS.getUnchecked(patterns).stream().anyMatch(pattern -> pattern.matches(file));
  }

  private static List<PathMatcher> compiled(String patterns) {
    return Streams.stream(Splitter.on(',').trimResults().omitEmptyStrings().split(patterns))
        .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
        .toList();
  }
}
