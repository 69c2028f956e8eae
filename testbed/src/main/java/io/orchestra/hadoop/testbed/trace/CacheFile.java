package io.orchestra.hadoop.testbed.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A file of the distributed cache that a job of a trace gave to its tasks.
 *
 * @param path where it was
 * @param bytes its size
 * @param shared whether everybody could read it: such a file is localized once on a host
 * @param timestamp when it was written
 */
public record CacheFile(String path, long bytes, boolean shared, long timestamp) {
  static final String FILES = "mapreduce.job.cache.files";
  static final String SIZES = "mapreduce.job.cache.files.filesizes";
  static final String VISIBILITIES = "mapreduce.job.cache.files.visibilities";
  static final String TIMESTAMPS = "mapreduce.job.cache.files.timestamps";

  /** Where clients put what they upload with a job. */
  private static final String STAGING = "/.staging";

  /** Those in the properties of a job. */
  static List<CacheFile> of(JsonNode properties) {
    List<String> paths = list(properties, FILES);
    List<String> sizes = list(properties, SIZES);
    List<String> visibilities = list(properties, VISIBILITIES);
    List<String> timestamps = list(properties, TIMESTAMPS);
    List<CacheFile> files = new ArrayList<>();
    for (int number = 0; number < paths.size(); number++) {
      files.add(
          new CacheFile(
              paths.get(number),
              Long.parseLong(sizes.get(number)),
              Boolean.parseBoolean(visibilities.get(number)),
              Long.parseLong(timestamps.get(number))));
    }
    return files;
  }

  private static List<String> list(JsonNode properties, String key) {
    return Splitter.on(',')
        .trimResults()
        .omitEmptyStrings()
        .splitToList(properties.path(key).asText(""));
  }

  /** Writes them into the properties of a job. */
  static void put(List<CacheFile> files, ObjectNode properties) {
    properties.put(FILES, joined(files, CacheFile::path));
    properties.put(SIZES, joined(files, CacheFile::bytes));
    properties.put(VISIBILITIES, joined(files, CacheFile::shared));
    properties.put(TIMESTAMPS, joined(files, CacheFile::timestamp));
  }

  private static String joined(List<CacheFile> files, Function<CacheFile, Object> what) {
    return files.stream()
        .map(file -> String.valueOf(what.apply(file)))
        .collect(Collectors.joining(","));
  }

  /** Whether it came with the job: GridMix has its client upload such a file, too. */
  public boolean uploaded() {
    return !shared && path.contains(STAGING);
  }
}
