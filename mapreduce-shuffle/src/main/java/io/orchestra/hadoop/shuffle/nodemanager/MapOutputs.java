package io.orchestra.hadoop.shuffle.nodemanager;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.orchestra.hadoop.shuffle.nodemanager.Refusal.Reason;
import io.orchestra.hadoop.shuffle.rpc.OutputSize;
import io.orchestra.hadoop.shuffle.rpc.RangeRequest;
import io.orchestra.hadoop.shuffle.rpc.SizesRequest;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleInternals;
import org.apache.hadoop.mapred.SpillRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map outputs on this host, found through the caches of Hadoop's shuffle server. Safe for
 * concurrent use.
 */
final class MapOutputs {
  private static final Logger LOG = LoggerFactory.getLogger(MapOutputs.class);

  /** About 200 bytes each. */
  private static final int MOST_TOTALS = 50_000;

  private final ShuffleChannelHandlerContext server;
  private final JobConf conf;

  /** Bytes of all parts of an output, by attempt: every reducer of a job asks for the same. */
  private final Cache<String, Long> totals =
      CacheBuilder.newBuilder().maximumSize(MOST_TOTALS).build();

  MapOutputs(ShuffleChannelHandlerContext server) {
    this.server = server;
    this.conf = new JobConf(server.conf);
  }

  /** Outputs that are not here, or cannot be read, are left out. */
  List<OutputSize> sizes(SizesRequest request, Requester requester) {
    List<OutputSize> sizes = new ArrayList<>();
    for (String attempt : request.outputs()) {
      try {
        sizes.add(size(request, attempt, requester.user()));
      } catch (IOException | IllegalArgumentException e) {
        // The index is the user's: its lengths may be anything.
        LOG.debug("No size of {} for {}", attempt, requester.user(), e);
      }
    }
    return sizes;
  }

  private OutputSize size(SizesRequest request, String attempt, String user) throws IOException {
    Path index = ShuffleInternals.indexFile(server, request.job(), user, attempt);
    Long total = totals.getIfPresent(attempt);
    if (total == null) {
      return firstSize(request, attempt, index, user);
    }
    IndexRecord part = ShuffleInternals.part(server, attempt, request.reduce(), index, user);
    return new OutputSize(attempt, part.partLength, part.rawLength, total);
  }

  /** Reads the index once for the part and for the sum of all. */
  private OutputSize firstSize(SizesRequest request, String attempt, Path index, String user)
      throws IOException {
    SpillRecord parts = new SpillRecord(index, conf, user);
    if (request.reduce() >= parts.size()) {
      throw new IOException("%s has %d parts".formatted(attempt, parts.size()));
    }
    long total = 0;
    for (int reduce = 0; reduce < parts.size(); reduce++) {
      total += parts.getIndex(reduce).partLength;
    }
    totals.put(attempt, total);
    IndexRecord part = parts.getIndex(request.reduce());
    return new OutputSize(attempt, part.partLength, part.rawLength, total);
  }

  /**
   * @throws Refusal if the part has another length than the request says, or is not here
   */
  FileRange open(RangeRequest request, Requester requester) throws Refusal {
    String attempt = request.output();
    String user = requester.user();
    try {
      Path index = ShuffleInternals.indexFile(server, request.job(), user, attempt);
      IndexRecord part = ShuffleInternals.part(server, attempt, request.reduce(), index, user);
      if (part.partLength != request.part()) {
        throw new Refusal(
            Reason.CHANGED,
            "the part of %s has %d bytes, not %d"
                .formatted(attempt, part.partLength, request.part()));
      }
      Path data = ShuffleInternals.dataFile(server, request.job(), user, attempt);
      return FileRange.open(
          new File(data.toString()), user, part.startOffset + request.offset(), request.length());
    } catch (IOException e) {
      throw new Refusal(Reason.NOT_HERE, "nothing to send of " + attempt, e);
    }
  }
}
