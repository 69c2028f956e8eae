package io.orchestra.hadoop.integration;

import io.orchestra.hadoop.core.blockcache.BlockTokens;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Block tokens as they are shown to a cache or a peer, good ones and bad ones. */
public final class ShownTokens {
  private ShownTokens() {}

  /** The one that a client has got with a block. */
  public static ByteString of(LocatedBlock block) throws IOException {
    return BlockTokens.write(block.getBlockToken());
  }

  /**
   * Those with which nobody may read a block, by what is wrong with them.
   *
   * @param manager of the NameNode
   * @param another of the same pool
   */
  public static Map<String, ByteString> bad(
      BlockTokenSecretManager manager, LocatedBlock located, LocatedBlock another)
      throws IOException {
    ExtendedBlock block = located.getBlock();
    BlockTokenSecretManager stranger =
        new BlockTokenSecretManager(
            60_000, 60_000, 0, 1, block.getBlockPoolId(), null, /* useProto= */ false);
    Map<String, ByteString> bad = new LinkedHashMap<>();
    bad.put("none", ByteString.EMPTY);
    bad.put("without anything in it", BlockTokens.write(new Token<>()));
    bad.put("garbage", ByteString.copyFromUtf8("let me in"));
    bad.put("of a length that is not there", ByteString.copyFrom(new byte[] {-116, 127, 0, 0, 0}));
    bad.put("for another block", of(another));
    bad.put("for another pool", made(manager, inAnotherPool(block), AccessMode.READ));
    bad.put("for writing", made(manager, block, AccessMode.WRITE));
    bad.put("of another cluster", made(stranger, block, AccessMode.READ));
    bad.put("forged", forged(located.getBlockToken()));
    bad.put("expired", expired(manager, block));
    return bad;
  }

  /** A block of the same number. */
  public static ExtendedBlock inAnotherPool(ExtendedBlock block) {
    return new ExtendedBlock(
        "BP-another", block.getBlockId(), block.getNumBytes(), block.getGenerationStamp());
  }

  private static ByteString made(
      BlockTokenSecretManager manager, ExtendedBlock block, AccessMode mode) throws IOException {
    return BlockTokens.write(
        manager.generateToken(
            "mallory", block, EnumSet.of(mode), new StorageType[0], new String[0]));
  }

  private static ByteString forged(Token<BlockTokenIdentifier> good) throws IOException {
    byte[] password = good.getPassword().clone();
    password[0]++;
    return BlockTokens.write(
        new Token<>(good.getIdentifier(), password, good.getKind(), good.getService()));
  }

  private static ByteString expired(BlockTokenSecretManager manager, ExtendedBlock block)
      throws IOException {
    manager.setTokenLifetime(-TimeUnit.MINUTES.toMillis(1));
    try {
      return made(manager, block, AccessMode.READ);
    } finally {
      manager.setTokenLifetime(TimeUnit.HOURS.toMillis(10));
    }
  }
}
