package io.orchestra.hadoop.integration.broadcast;

import java.nio.file.Path;
import java.util.Map;

/**
 * A file that NodeManagers localized for a job.
 *
 * @param path where it is in HDFS
 * @param length bytes
 * @param cache of a NodeManager that it belongs in, below the directory of its data
 * @param name in that cache, behind a number that the NodeManager gives
 * @param content SHA-256 of each file that is unpacked from it, by relative path; of the file
 *     itself, by an empty path, if nothing is
 */
record JobResource(
    Visibility visibility,
    String path,
    long length,
    Path cache,
    String name,
    Map<String, String> content) {

  /** For whom YARN keeps it. */
  enum Visibility {
    /** For everybody; the NodeManager itself reads it. */
    PUBLIC,
    /** For the job's user. */
    PRIVATE,
    /** For one application. */
    APPLICATION
  }

  JobResource {
    content = Map.copyOf(content);
  }
}
