package io.orchestra.hadoop.prefetch.appmaster;

import io.orchestra.hadoop.core.blockcache.BlockTokens;
import io.orchestra.hadoop.prefetch.rpc.AgentProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * The blocks of parts of files, each with a token of whoever asks: nobody else's right to read is
 * used.
 */
final class InputBlocks {
  private static final int MOST_BLOCKS = 8;

  /** Each is a question to the NameNode; parts of the same block may follow each other. */
  private static final int MOST_PARTS = 16;

  private InputBlocks() {}

  /**
   * The blocks of all that one map reads, each once.
   *
   * @return empty if nobody can bring them, or they are too many
   * @throws IOException if the NameNode does not say
   */
  static List<InputBlockProto> of(Configuration conf, List<FileSplit> parts) throws IOException {
    if (parts.size() > MOST_PARTS) {
      return List.of();
    }
    Map<Long, InputBlockProto> blocks = new LinkedHashMap<>();
    for (FileSplit part : parts) {
      for (InputBlockProto block : of(conf, part)) {
        blocks.putIfAbsent(block.getId(), block);
      }
    }
    return blocks.size() <= MOST_BLOCKS ? List.copyOf(blocks.values()) : List.of();
  }

  private static List<InputBlockProto> of(Configuration conf, FileSplit split) throws IOException {
    if (!isInHdfs(conf, split.getPath())
        || split.getLength() <= 0
        || !(split.getPath().getFileSystem(conf) instanceof DistributedFileSystem hdfs)) {
      return List.of();
    }
    LocatedBlocks located =
        hdfs.getClient()
            .getLocatedBlocks(
                hdfs.makeQualified(split.getPath()).toUri().getPath(),
                split.getStart(),
                split.getLength());
    List<InputBlockProto> blocks = new ArrayList<>();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      boolean last =
          located.getLastLocatedBlock() != null
              && block.getBlock().equals(located.getLastLocatedBlock().getBlock());
      boolean finished = !last || located.isLastBlockComplete();
      if (finished && !block.isStriped() && !block.isCorrupt()) {
        blocks.add(told(block));
      }
    }
    return blocks;
  }

  /** Nothing of another file system is made here, where the job itself may have no use for it. */
  private static boolean isInHdfs(Configuration conf, Path path) throws IOException {
    String scheme =
        Optional.ofNullable(path.toUri().getScheme())
            .orElseGet(() -> FileSystem.getDefaultUri(conf).getScheme());
    return DistributedFileSystem.class.isAssignableFrom(
        FileSystem.getFileSystemClass(scheme, conf));
  }

  private static InputBlockProto told(LocatedBlock located) throws IOException {
    InputBlockProto.Builder told =
        InputBlockProto.newBuilder()
            .setPool(located.getBlock().getBlockPoolId())
            .setId(located.getBlock().getBlockId())
            .setGenerationStamp(located.getBlock().getGenerationStamp())
            .setLength(located.getBlock().getNumBytes())
            .setToken(BlockTokens.write(located.getBlockToken()));
    Stream.of(located.getLocations())
        .limit(AgentProtocol.MOST_REPLICAS)
        .forEach(replica -> told.addReplicas(replica.getDatanodeUuid()));
    return told.build();
  }
}
