package io.orchestra.hadoop.broadcast.upstream;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS's client for a suite that names accessors of its own: ours is asked for what those do not
 * read.
 */
public final class OursAfterTheirs extends DistributedFileSystem {
  private static final String BUILDERS = "dfs.client.replica.accessor.builder.classes";

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    Configuration both = new Configuration(conf);
    both.set(BUILDERS, conf.get(BUILDERS) + "," + CountedAccessorBuilder.class.getName());
    super.initialize(uri, both);
  }
}
