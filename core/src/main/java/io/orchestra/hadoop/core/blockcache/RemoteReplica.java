package io.orchestra.hadoop.core.blockcache;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockChecksumTypeProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A finished replica on another DataNode, reached as a DataNode does that rebuilds a block
 * (StripedBlockReader 107): in its own name, with HDFS's handshake and encryption. Safe for
 * concurrent use.
 */
public final class RemoteReplica implements Replica {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteReplica.class);
  private static final String CLIENT = "orchestra-block-cache";

  private static final ReplicaDoubts<ChecksumException> DOUBTS = new ReplicaDoubts<>();

  /** Bytes; HDFS sends as many in a packet. */
  private static final int DOUBTED_AT_ONCE = 64 << 10;

  private final DataNode datanode;
  private final DatanodeID source;
  private final ExtendedBlock block;
  private final DataTransfer transfer;
  private final OptionalInt localPort;

  /**
   * @param datanode that reads
   * @param source that has the replica
   * @param block with its length
   * @param timeout of connecting, and of each read and write
   * @param localPort from which its bytes are asked for, if that can be; checksums are not
   */
  public RemoteReplica(
      DataNode datanode,
      DatanodeID source,
      ExtendedBlock block,
      Duration timeout,
      OptionalInt localPort) {
    this.datanode = datanode;
    this.source = source;
    this.block = block;
    this.localPort = localPort;
    transfer = new DataTransfer(datanode, timeout);
  }

  /** Composed by its DataNode, which reads only those it has beside the replica. */
  @Override
  public PieceSums sums(BlockPieces pieces) throws IOException {
    Token<BlockTokenIdentifier> token = token(datanode, block);
    try (Peer peer = transfer.connect(source, block, token)) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
      new Sender(out)
          .blockChecksum(
              block,
              token,
              new BlockChecksumOptions(BlockChecksumType.COMPOSITE_CRC, pieces.pieceLength()));
      BlockOpResponseProto answer =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(peer.getInputStream()));
      DataTransferProtoUtil.checkBlockOpStatus(
          answer, "the checksums of %s from %s".formatted(block, source));
      return sums(answer.getChecksumResponse(), pieces);
    }
  }

  /** A DataNode that knows no composed checksums answers with an MD5. */
  static PieceSums sums(OpBlockChecksumResponseProto answer, BlockPieces pieces)
      throws IOException {
    boolean composed =
        answer.getBlockChecksumOptions().getBlockChecksumType()
                == BlockChecksumTypeProto.COMPOSITE_CRC
            && answer.getBlockChecksumOptions().getStripeLength() == pieces.pieceLength();
    int chunk = answer.getBytesPerCrc();
    if (chunk > 0 && answer.getCrcPerBlock() != (pieces.blockLength() + chunk - 1) / chunk) {
      // The end of what is shorter has no checksum of HDFS's: it would be made from whatever is
      // there.
      throw new IOException(
          "the replica has %d checksums of chunks of %d bytes, and is no block of %d bytes"
              .formatted(answer.getCrcPerBlock(), chunk, pieces.blockLength()));
    }
    boolean aligned = chunk > 0 && (pieces.count() == 1 || pieces.pieceLength() % chunk == 0);
    int bytes = answer.getBlockChecksum().size();
    if (!composed || !aligned || bytes != Integer.BYTES * pieces.count()) {
      throw new IOException(
          "%d bytes of checksums, of chunks of %d, for %s".formatted(bytes, chunk, pieces));
    }
    PieceSums.Kind kind = PieceSums.Kind.of(PBHelperClient.convert(answer.getCrcType()));
    int[] sums = new int[pieces.count()];
    ByteBuffer.wrap(answer.getBlockChecksum().toByteArray()).asIntBuffer().get(sums);
    return new PieceSums(kind, pieces, sums);
  }

  @Override
  public Bytes open(long position, long length) throws IOException {
    return open(position, length, false);
  }

  private Bytes open(long position, long length, boolean verifies) throws IOException {
    Token<BlockTokenIdentifier> token = token(datanode, block);
    Peer peer = PausingPeer.of(connect(token));
    try {
      return new ReaderBytes(
          BlockReaderRemote.newBlockReader(
              CLIENT,
              block,
              token,
              position,
              length,
              verifies,
              CLIENT,
              peer,
              source,
              null,
              CachingStrategy.newDefaultStrategy(),
              -1,
              datanode.getConf()));
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  @Override
  public void doubt(long position, long length) {
    DOUBTS.add(BlockKey.of(block), () -> flaw(position, length), this::report);
  }

  /** What is wrong with some of its bytes by HDFS's own checksums; empty if nothing is found. */
  private Optional<ChecksumException> flaw(long position, long length) {
    ByteBuffer buffer = ByteBuffer.allocate(DOUBTED_AT_ONCE);
    try (Bytes bytes = open(position, length, true)) {
      for (long left = length; left > 0; left -= buffer.limit()) {
        bytes.readFully(buffer.clear().limit((int) Math.min(left, buffer.capacity())));
      }
    } catch (ChecksumException e) {
      return Optional.of(e);
    } catch (IOException e) {
      LOG.debug("The replica of {} on {} is doubted, and cannot be read again", block, source, e);
    }
    return Optional.empty();
  }

  private void report(ChecksumException why) {
    try {
      datanode.reportRemoteBadBlock(
          new DatanodeInfo.DatanodeInfoBuilder().setNodeID(source).build(), block);
      LOG.warn(
          "The replica of {} on {} is corrupt, and is reported to the NameNode: {}",
          block,
          source,
          why.getMessage());
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "The replica of {} on {} is corrupt, and cannot be reported to the NameNode",
          block,
          source,
          e);
    }
  }

  /** With which a DataNode reads a block of another, as it does when it copies one. */
  public static Token<BlockTokenIdentifier> token(DataNode datanode, ExtendedBlock block)
      throws IOException {
    return datanode.getBlockAccessToken(
        block, EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]);
  }

  private Peer connect(Token<BlockTokenIdentifier> token) throws IOException {
    return connect(localPort, from -> transfer.connect(source, block, token, from));
  }

  /** How a connection is made. */
  @FunctionalInterface
  interface Connecting<C> {
    /**
     * @param localPort any if empty
     */
    C from(OptionalInt localPort) throws IOException;
  }

  /**
   * Without its port a connection is like any other, and as good but for its rate. One that fails
   * for another reason would fail, or be waited for, twice.
   */
  static <C> C connect(OptionalInt localPort, Connecting<C> connecting) throws IOException {
    try {
      return connecting.from(localPort);
    } catch (BindException e) {
      if (localPort.isEmpty()) {
        throw e;
      }
      LOG.debug("Nobody can be asked from port {} now", localPort.getAsInt(), e);
      return connecting.from(OptionalInt.empty());
    }
  }

  private record ReaderBytes(BlockReader reader) implements Bytes {
    @Override
    public void readFully(ByteBuffer target) throws IOException {
      while (target.hasRemaining()) {
        if (reader.read(target) < 0) {
          throw new EOFException("a replica is %d bytes too short".formatted(target.remaining()));
        }
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
